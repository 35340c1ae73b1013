import { defined } from "../../defined.ts";
import type { JsonObject } from "../../json.ts";
import type {
  CancelTaskRequest,
  GetTaskRequest,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  SubscribeToTaskRequest,
} from "../../model.ts";
import type { Codec } from "../codec.ts";
import { mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { has, type Release } from "../releases.ts";
import { readEvent, writeEvent } from "./event.ts";
import { readPushConfig, writePushConfig } from "./push.ts";
import type { ConfigurationShape, MessageShape, SendShape, TaskShape } from "./shapes.ts";
import { mendMessage, readMessage, writeMessage } from "./task.ts";

/**
 * The send request of 0.2 and 0.3, and the task or message that answers it, identified by `kind` instead of a wrapper.
 *
 * `blocking` is the opposite of `returnImmediately`. A client that omits it waits, as in every SDK of that time, and we
 * always write it. `historyLength` 0 means "none" in 1.0, but "all" to most older servers, whose specification defines
 * only positive numbers. So 0 is neither written (ask for less and cut the answer) nor read. Negative numbers are read
 * unchanged.
 *
 * Lost on output: `tenant`, and a `historyLength` that is not positive. Before 0.2.6 a configuration needs output
 * modes, so an empty list is written.
 */
export const mendSend = (release: Release) =>
  mending((params, place) => {
    mendMember(params, "message", place, mendMessage);
    mendMember(
      params,
      "configuration",
      place,
      mending((configuration, inner) => {
        if (has(release, "optionalOutputModes") || configuration["acceptedOutputModes"] !== undefined) return;
        inner.at("acceptedOutputModes").note("is missing; assumed to be an empty list");
        configuration["acceptedOutputModes"] = [];
      }),
    );
  });

export const readSend = ({ message, configuration, metadata }: SendShape, place: ReadingPlace): SendMessageRequest =>
  defined({
    message: readMessage(message, place.at("message")),
    configuration: configuration && readConfiguration(configuration),
    metadata,
  });

const readConfiguration = (shape: ConfigurationShape): SendMessageConfiguration =>
  defined({
    acceptedOutputModes: shape.acceptedOutputModes,
    taskPushNotificationConfig: shape.pushNotificationConfig && readPushConfig(shape.pushNotificationConfig),
    historyLength: readHistoryLength(shape.historyLength),
    returnImmediately: shape.blocking === false ? true : undefined,
  });

/** A negative number was never valid. Servers of that time accepted it and ours may reject it, so it is passed on. */
export const readHistoryLength = (length = 0): number | undefined => (length === 0 ? undefined : length);

export const positive = (length = 0): number | undefined => (length > 0 ? length : undefined);

export const writeSend = ({ message, configuration, metadata }: SendMessageRequest, release: Release): SendShape =>
  defined({
    message: writeMessage(message, release),
    configuration: configuration && writeConfiguration(configuration, release),
    metadata,
  });

function writeConfiguration(configuration: SendMessageConfiguration, release: Release): ConfigurationShape {
  const { acceptedOutputModes, taskPushNotificationConfig, historyLength, returnImmediately } = configuration;
  return defined({
    acceptedOutputModes: acceptedOutputModes ?? (has(release, "optionalOutputModes") ? undefined : []),
    blocking: !returnImmediately,
    historyLength: positive(historyLength),
    pushNotificationConfig: taskPushNotificationConfig && writePushConfig(taskPushNotificationConfig, release),
  });
}

export const readSendResult = (result: TaskShape | MessageShape, place: ReadingPlace): SendMessageResponse =>
  readEvent(result, place);

export const writeSendResult = (answer: SendMessageResponse, release: Release): TaskShape | MessageShape =>
  // A send response holds a task or a message, so the written event is one of the two.
  writeEvent(answer, release, false) as TaskShape | MessageShape;

/**
 * Requests of 0.2 and 0.3 that name a task. `readHistoryLength` explains historyLength 0.
 *
 * Lost on output: `tenant`. Lost on input: the `metadata` of a get and of a resubscription, which 1.0 has only for
 * cancel.
 */
interface TaskRequestShape {
  readonly id: string;
  readonly historyLength?: number;
  readonly metadata?: JsonObject;
}

const mend = mending(() => {});

export const getRequest: Codec<GetTaskRequest, TaskRequestShape> = {
  definition: "TaskQueryParams",
  mend,
  read: ({ id, historyLength }) => defined({ id, historyLength: readHistoryLength(historyLength) }),
  write: ({ id, historyLength }) => defined({ id, historyLength: positive(historyLength) }) as JsonObject,
};

export const cancelRequest: Codec<CancelTaskRequest, TaskRequestShape> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id, metadata }) => defined({ id, metadata }),
  write: ({ id, metadata }) => defined({ id, metadata }) as JsonObject,
};

export const subscribeRequest: Codec<SubscribeToTaskRequest, TaskRequestShape> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id }) => ({ id }),
  write: ({ id }) => ({ id }),
};

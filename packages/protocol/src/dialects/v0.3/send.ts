import { defined } from "../../defined.ts";
import type { SendMessageConfiguration, SendMessageRequest, SendMessageResponse } from "../../model.ts";
import { mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { has, type Release } from "../releases.ts";
import { readEvent, writeEvent } from "./event.ts";
import { mendMessage, readMessage, writeMessage } from "./message.ts";
import { readPushConfig, writePushConfig } from "./push-config.ts";
import type { ConfigurationShape, MessageShape, SendShape, TaskShape } from "./shapes.ts";

/**
 * What 0.2 and 0.3 send, and the task or message that answers, told apart by `kind` instead of a wrapper.
 *
 * `blocking` is the opposite of `returnImmediately`; a client that does not say waits, as in every SDK of the time,
 * and we always say. `historyLength` 0 means "none" in 1.0 and "all" to most older servers, whose text gives a
 * meaning to positive numbers only: it is not written (ask for less and cut the answer), and not read. Less than 0 is read as it is.
 *
 * Lost on the way out: `tenant`, and a `historyLength` that is not positive. A configuration before 0.2.6 needs
 * output modes, so an empty list is written.
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
        inner.at("acceptedOutputModes").note("is missing; taken for an empty list");
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

/** A negative number was never legal. Servers of the time took it, and ours may refuse it, so it is handed on. */
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
  // A send answer holds a task or a message, so the event written from it is one of the two.
  writeEvent(answer, release, false) as TaskShape | MessageShape;

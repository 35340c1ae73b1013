import { defined } from "../../defined.ts";
import type { JsonObject } from "../../json.ts";
import type { CancelTaskRequest, GetTaskRequest, SendMessageRequest, SubscribeToTaskRequest } from "../../model.ts";
import type { Codec } from "../codec.ts";
import type { DialectExchange } from "../exchange.ts";
import { mendId, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { readPushConfig, writePushConfig } from "./push-config.ts";
import type { SendShape } from "./shapes.ts";
import { mendMessage, readMessage, sessionOf, writeMessage } from "./task.ts";

/**
 * Requests of 0.1 that name a task. The exchange keeps the id, because some servers do not repeat it.
 *
 * Lost on output: `tenant`. Lost on input: the `metadata` of a get, and `metadata` and `historyLength` of a
 * resubscription.
 */
interface TaskShape {
  readonly id: string;
  readonly historyLength?: number;
  readonly metadata?: JsonObject;
}

const mend = mending(mendId);

const about = (exchange: DialectExchange, id: string): string => {
  exchange.taskId = id;
  return id;
};

export const getRequest: Codec<GetTaskRequest, TaskShape> = {
  definition: "TaskQueryParams",
  mend,
  read: ({ id, historyLength }, exchange) => defined({ id: about(exchange, id), historyLength }),
  write: ({ id, historyLength }, exchange) => defined({ id: about(exchange, id), historyLength }) as JsonObject,
};

export const cancelRequest: Codec<CancelTaskRequest, TaskShape> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id, metadata }, exchange) => defined({ id: about(exchange, id), metadata }),
  write: ({ id, metadata }, exchange) => defined({ id: about(exchange, id), metadata }) as JsonObject,
};

export const subscribeRequest: Codec<SubscribeToTaskRequest, TaskShape> = {
  definition: "TaskQueryParams",
  mend,
  read: ({ id }, exchange) => ({ id: about(exchange, id) }),
  write: ({ id }, exchange) => ({ id: about(exchange, id) }),
};

/**
 * In 0.1 a client sends a task and chooses its id. An unknown id starts a task; a known id continues it, even if it was
 * finished. So a message is always read with a `taskId`. A canonical message that starts a task is sent with a
 * generated id, which the exchange remembers.
 *
 * `historyLength` 0 means "none", as in 1.0.
 *
 * Lost on output: `tenant`, `returnImmediately` (the server decides; poll instead), `acceptedOutputModes`, and the
 * losses of messages and push configurations.
 */
export const mendSend = mending((params, place) => {
  mendId(params, place);
  mendMember(params, "message", place, mendMessage("user"));
});

export function readSend(params: SendShape, exchange: DialectExchange, place: ReadingPlace): SendMessageRequest {
  const { id, sessionId, message, pushNotification, historyLength, acceptedOutputModes, metadata } = params;
  Object.assign(exchange, defined({ taskId: id, contextId: sessionId }));
  const configuration = defined({
    acceptedOutputModes,
    taskPushNotificationConfig: pushNotification && readPushConfig(pushNotification),
    historyLength,
  });
  return defined({
    message: readMessage(message, defined({ taskId: id, contextId: sessionId }), exchange, place.at("message")),
    configuration: Object.keys(configuration).length ? configuration : undefined,
    metadata,
  });
}

export function writeSend(
  { message, configuration = {}, metadata }: SendMessageRequest,
  exchange: DialectExchange,
): SendShape {
  const { contextId } = message;
  const taskId = message.taskId || exchange.newId();
  Object.assign(exchange, defined({ taskId, contextId }));
  const { taskPushNotificationConfig, historyLength } = configuration;
  return defined({
    id: taskId,
    sessionId: sessionOf(defined({ taskId, contextId })),
    message: writeMessage(message),
    pushNotification: taskPushNotificationConfig && writePushConfig(taskPushNotificationConfig),
    historyLength,
    metadata,
  });
}

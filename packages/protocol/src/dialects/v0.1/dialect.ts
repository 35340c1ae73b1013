import { isObject, type JsonObject } from "../../json.ts";
import type { AgentCard, SendMessageRequest, SendMessageResponse, StreamResponse, Task } from "../../model.ts";
import { assemble, type EventCodec, type OperationCodecs } from "../assemble.ts";
import type { Codec } from "../codec.ts";
import type { Dialect, Reading } from "../dialect.ts";
import { type DialectExchange, startExchange } from "../exchange.ts";
import type { ReadingNote } from "../place.ts";
import { type CardShape, mendCard, readCard, writeCard } from "./card.ts";
import { errors } from "./error-words.ts";
import { mendEvent, readEvent, writeEvent } from "./event.ts";
import { isMessageReply, readMessageReply, writeMessageReply } from "./message-reply.ts";
import { getPushRequest, taskPushConfig } from "./push-config.ts";
import { cancelRequest, getRequest, mendSend, readSend, subscribeRequest, writeSend } from "./requests.ts";
import type { EventShape, SendShape, TaskShape } from "./shapes.ts";
import { mendTask, readTask, writeTask } from "./task.ts";

/**
 * 0.1: a client sends tasks under ids that it chooses. The exchange holds most of what its payloads omit, so this is
 * the only dialect that needs one. 0.1 has no ListTasks, no extended card, and cannot list or delete push
 * configurations.
 */
// The shapes are JSON objects; their interfaces only lack the index signature that JsonObject has.
const json = (shape: object): JsonObject => shape as JsonObject;

const sendRequest: Codec<SendMessageRequest, SendShape> = {
  definition: "TaskSendParams",
  mend: mendSend,
  read: readSend,
  write: (request, exchange) => json(writeSend(request, exchange)),
};

const task: Codec<Task, TaskShape> = {
  definition: "Task",
  mend: (document, place, exchange) => mendTask(exchange)(document, place),
  read: readTask,
  write: (value, exchange) => json(writeTask(value, exchange)),
};

const sendResult: Codec<SendMessageResponse, TaskShape> = {
  ...task,
  read(shape, exchange, place) {
    const message = isMessageReply(shape) ? readMessageReply(shape, exchange, place) : undefined;
    return message ? { message } : { task: readTask(shape, exchange, place) };
  },
  write: ({ task: value, message }, exchange) =>
    json(message ? writeMessageReply(message, exchange) : writeTask(value!, exchange)),
};

const events: EventCodec = {
  definition: "StreamResult",
  mend: (document, place, exchange) => mendEvent(exchange)(document, place),
  read: (event, exchange, place) => readEvent(event as EventShape, exchange, place),
  write: (event, exchange, last) => writeEvent(event, exchange, last).map(json),
};

const card: Codec<AgentCard, CardShape> = {
  definition: "AgentCard",
  mend: mendCard,
  read: (shape) => readCard(shape),
  write: (value) => json(writeCard(value)),
};

const rows: OperationCodecs = {
  SendMessage: { method: "tasks/send", request: sendRequest, answer: sendResult },
  SendStreamingMessage: { method: "tasks/sendSubscribe", request: sendRequest },
  GetTask: { method: "tasks/get", request: getRequest, answer: task },
  CancelTask: { method: "tasks/cancel", request: cancelRequest, answer: task },
  SubscribeToTask: { method: "tasks/resubscribe", request: subscribeRequest },
  CreateTaskPushNotificationConfig: {
    method: "tasks/pushNotification/set",
    request: taskPushConfig,
    answer: taskPushConfig,
  },
  GetTaskPushNotificationConfig: {
    method: "tasks/pushNotification/get",
    request: getPushRequest,
    answer: taskPushConfig,
  },
};

const single = assemble({ version: "0.1", wire: "0.1", rows, events, card, ...errors });

export const v01: Dialect = {
  ...single,
  readEvents: (document, exchange = startExchange()) =>
    isObject(document) && Array.isArray(document["artifact"])
      ? readEach({ ...document, artifact: document["artifact"] }, exchange)
      : single.readEvents(document, exchange),
};

/** Reads a list of artifacts, which the official page shows where the schema has one. Each element becomes an event. */
function readEach(document: { readonly artifact: unknown[] }, exchange: DialectExchange): Reading<StreamResponse[]> {
  const notes: ReadingNote[] = [{ path: "$.artifact", message: "is a list; each element was read as an event" }];
  const value: StreamResponse[] = [];
  for (const artifact of document.artifact) {
    const reading = single.readEvents({ ...document, artifact }, exchange);
    notes.push(...(reading.notes ?? []));
    if (reading.violations) return { violations: reading.violations, notes };
    value.push(...reading.value);
  }
  return { value, notes };
}

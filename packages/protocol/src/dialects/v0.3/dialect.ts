import type { JsonObject } from "../../json.ts";
import type { AgentCard, SendMessageRequest, SendMessageResponse, Task } from "../../model.ts";
import { assemble, type EventCodec, type OperationCodecs } from "../assemble.ts";
import type { Codec } from "../codec.ts";
import type { Dialect } from "../dialect.ts";
import { asIs } from "../mending.ts";
import { has, type Release } from "../releases.ts";
import { type CardShape, mendCard, readCard, writeCard } from "./card/card.ts";
import { errorsOf } from "./error-words.ts";
import { mendEvent, readEvent, writeEvent } from "./event.ts";
import { deleted, deletePushRequest, getPushRequest, listPushRequest, pushList, taskPushConfig } from "./push.ts";
import {
  cancelRequest,
  getRequest,
  mendSend,
  readSend,
  readSendResult,
  subscribeRequest,
  writeSend,
  writeSendResult,
} from "./requests.ts";
import type { EventShape, MessageShape, SendShape, TaskShape } from "./shapes.ts";
import { mendTask, readTask, writeTask } from "./task.ts";

/** Builds 0.2 or 0.3 over JSON-RPC: the same methods and shapes, extended with each release. There is no ListTasks. */
export function dialectFor(release: Release): Dialect {
  return assemble({
    version: release === "0.3" ? "0.3" : "0.2",
    wire: release,
    rows: rowsOf(release),
    events: events(release),
    card: card(release),
    ...errorsOf(release),
  });
}

function rowsOf(release: Release): OperationCodecs {
  const send = sendRequest(release);
  const push = taskPushConfig(release);
  return {
    SendMessage: { method: "message/send", request: send, answer: sendResult(release) },
    SendStreamingMessage: { method: "message/stream", request: send },
    GetTask: { method: "tasks/get", request: getRequest, answer: task(release) },
    CancelTask: { method: "tasks/cancel", request: cancelRequest, answer: task(release) },
    SubscribeToTask: { method: "tasks/resubscribe", request: subscribeRequest },
    CreateTaskPushNotificationConfig: { method: "tasks/pushNotificationConfig/set", request: push, answer: push },
    GetTaskPushNotificationConfig: {
      method: "tasks/pushNotificationConfig/get",
      request: getPushRequest(release),
      answer: push,
    },
    ...(has(release, "severalPushConfigs") && {
      ListTaskPushNotificationConfigs: {
        method: "tasks/pushNotificationConfig/list",
        request: listPushRequest,
        answer: pushList(release),
      },
      DeleteTaskPushNotificationConfig: {
        method: "tasks/pushNotificationConfig/delete",
        request: deletePushRequest,
        answer: deleted,
      },
    }),
    ...(has(release, "extendedCardMethod") && {
      GetExtendedAgentCard: {
        method: "agent/getAuthenticatedExtendedCard",
        request: nothing,
        answer: card(release),
      },
    }),
  };
}

// The shapes are JSON objects; their interfaces only lack the index signature that JsonObject has.
const json = (shape: object): JsonObject => shape as JsonObject;

const sendRequest = (release: Release): Codec<SendMessageRequest, SendShape> => ({
  definition: "MessageSendParams",
  mend: mendSend(release),
  read: (params, _exchange, place) => readSend(params, place),
  write: (request) => json(writeSend(request, release)),
});

const sendResult = (release: Release): Codec<SendMessageResponse, TaskShape | MessageShape> => ({
  definition: "SendMessageResult",
  mend: mendEvent,
  read: (result, _exchange, place) => readSendResult(result, place),
  write: (answer) => json(writeSendResult(answer, release)),
});

const task = (release: Release): Codec<Task, TaskShape> => ({
  definition: "Task",
  mend: mendTask,
  read: (shape, _exchange, place) => readTask(shape, place),
  write: (value) => json(writeTask(value, release)),
});

const events = (release: Release): EventCodec => ({
  definition: "StreamResult",
  mend: mendEvent,
  read: (event, _exchange, place) => [readEvent(event as EventShape, place)],
  write: (event, _exchange, last) => [json(writeEvent(event, release, last))],
});

const card = (release: Release): Codec<AgentCard, CardShape> => ({
  definition: "AgentCard",
  mend: mendCard,
  read: (shape, _exchange, place) => readCard(shape, release, place),
  write: (value) => json(writeCard(value, release)),
});

/** The request for the extended card has no parameters. */
const nothing: Codec<Record<string, never>> = { definition: null, mend: asIs, read: () => ({}), write: () => ({}) };

export const v03: Dialect = dialectFor("0.3");

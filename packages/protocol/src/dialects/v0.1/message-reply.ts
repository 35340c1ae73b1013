import { defined } from "../../defined.ts";
import type { Message } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import type { ReadingPlace } from "../place.ts";
import type { EventShape, TaskShape } from "./shapes.ts";
import { readMessage, sessionOf, writeMessage } from "./task.ts";

/**
 * 0.1 cannot answer with a message. The message is sent as the status of a completed task, under the id that the client
 * chose. A mark in the metadata lets a reader that knows it undo this.
 *
 * Lost on output: what every message of 0.1 loses, except the context.
 */
const mark = { message_reply_compat: true } as const;

type Reply = Pick<TaskShape, "id" | "status" | "metadata">;

export const isMessageReply = ({ metadata }: Pick<Reply, "metadata">): boolean =>
  metadata?.["message_reply_compat"] === true;

export const readMessageReply = (
  { status, sessionId }: Pick<TaskShape, "status" | "sessionId">,
  exchange: DialectExchange,
  place: ReadingPlace,
): Message | undefined =>
  status.message &&
  readMessage(
    status.message,
    defined({ contextId: sessionId ?? exchange.contextId }),
    exchange,
    place.at("status").at("message"),
  );

export function writeMessageReply(message: Message, exchange: DialectExchange): TaskShape {
  const id = message.taskId || exchange.taskId || exchange.newId();
  return defined({
    id,
    sessionId: sessionOf(defined({ taskId: id, contextId: message.contextId ?? exchange.contextId })),
    status: { state: "completed", message: writeMessage(message) },
    metadata: { ...mark },
  });
}

export function writeMessageEvent(message: Message, exchange: DialectExchange): EventShape {
  const { id, status } = writeMessageReply(message, exchange);
  return { id, status, final: true, metadata: { ...mark } };
}

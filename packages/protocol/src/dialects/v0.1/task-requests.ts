import { defined } from "../../defined.ts";
import type { JsonObject } from "../../json.ts";
import type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest } from "../../model.ts";
import type { Codec } from "../codec.ts";
import type { DialectExchange } from "../exchange.ts";
import { mendId, mending } from "../mending.ts";

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

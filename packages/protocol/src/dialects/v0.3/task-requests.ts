import { defined } from "../../defined.ts";
import type { JsonObject } from "../../json.ts";
import type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest } from "../../model.ts";
import type { Codec } from "../codec.ts";
import { mending } from "../mending.ts";
import { positive, readHistoryLength } from "./send.ts";

/**
 * Requests of 0.2 and 0.3 that name a task. send.ts explains historyLength 0.
 *
 * Lost on output: `tenant`. Lost on input: the `metadata` of a get and of a resubscription, which 1.0 has only for
 * cancel.
 */
interface TaskShape {
  readonly id: string;
  readonly historyLength?: number;
  readonly metadata?: JsonObject;
}

const mend = mending(() => {});

export const getRequest: Codec<GetTaskRequest, TaskShape> = {
  definition: "TaskQueryParams",
  mend,
  read: ({ id, historyLength }) => defined({ id, historyLength: readHistoryLength(historyLength) }),
  write: ({ id, historyLength }) => defined({ id, historyLength: positive(historyLength) }) as JsonObject,
};

export const cancelRequest: Codec<CancelTaskRequest, TaskShape> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id, metadata }) => defined({ id, metadata }),
  write: ({ id, metadata }) => defined({ id, metadata }) as JsonObject,
};

export const subscribeRequest: Codec<SubscribeToTaskRequest, TaskShape> = {
  definition: "TaskIdParams",
  mend,
  read: ({ id }) => ({ id }),
  write: ({ id }) => ({ id }),
};

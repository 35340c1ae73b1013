import { A2AError, type Message, type Task } from "@assay/protocol/core";
import { BudgetExceeded } from "@assay/wire/server";
import { CallerFull, CursorExpired, StoreFull } from "../store/store.ts";
import { messagesIn } from "./growth.ts";

export const taskNotFound = (id: string): A2AError =>
  new A2AError("TaskNotFound", `Task ${JSON.stringify(id.slice(0, 200))} not found`, {
    facts: { taskId: id.slice(0, 200) },
  });

export const hasEnded = ({ id, status }: Task): A2AError =>
  new A2AError("UnsupportedOperation", `Task ${id} has ended. Start a new task in its context`, {
    facts: { taskId: id, state: status.state },
  });

export const notAsked = ({ id, status }: Task): A2AError =>
  new A2AError("UnsupportedOperation", `Task ${id} is not waiting for an authorisation`, {
    facts: { taskId: id, state: status.state },
  });

export const notCancelable = (task: Task): A2AError =>
  new A2AError("TaskNotCancelable", `Task ${task.id} has already ended`, {
    facts: { taskId: task.id, state: task.status.state },
  });

/** Converts an exceeded memory budget into a protocol error. */
export const noRoom = ({ code, message }: BudgetExceeded): A2AError =>
  new A2AError(code === "caller-budget" ? "TooManyRequests" : "Unavailable", `The agent has no room left: ${message}`, {
    facts: { retryAfterSeconds: "10" },
  });

/** The server accepts no new work and did not store the message. */
export const shuttingDown = (): A2AError =>
  new A2AError("Unavailable", "This server is shutting down and did not accept the message. Send it again", {
    facts: { retryAfterSeconds: "1" },
  });

/**
 * The store is unavailable or full. The reason is only in the log, because it could name a host, a user or a
 * file.
 */
export const storeAway = (): A2AError =>
  new A2AError("Unavailable", "The agent cannot reach its store, or the store is full. Try again later", {
    facts: { retryAfterSeconds: "5" },
  });

/** Converts a store error into a protocol error. */
export function asRefusal(error: unknown): never {
  if (error instanceof BudgetExceeded) throw noRoom(error);
  if (error instanceof CallerFull)
    throw new A2AError("TooManyRequests", `${error.message}. End one of them, or try again later`, {
      facts: { retryAfterSeconds: "10" },
    });
  if (error instanceof StoreFull) throw new A2AError("Unavailable", "Too many tasks are open. Try again later");
  if (error instanceof CursorExpired) {
    throw new A2AError("InvalidParams", "pageToken has expired: too much has changed since the first page", {
      violations: [{ path: "$.pageToken", message: "omit it to start again at the first page" }],
    });
  }
  throw error;
}

/** Rejects a message without parts, for versions whose schema allows it. */
export function checkParts({ parts }: Message): void {
  if (parts.length > 0) return;
  throw new A2AError("InvalidParams", "A message needs at least one part", {
    violations: [{ path: "$.message.parts", message: "must not be empty" }],
  });
}

/** Throws if a task has no room for another message of its client. */
export function checkHistoryRoom(task: Task, most = Number.POSITIVE_INFINITY): void {
  if (messagesIn(task) < most) return;
  throw new A2AError(
    "UnsupportedOperation",
    `Task ${task.id} has ${most} messages, the maximum of this agent. Start a new task in its context`,
    {
      facts: { taskId: task.id },
    },
  );
}

/** Limits client-chosen ids, which are stored in many places, some of them for longer than the task. */
const longestId = 1_000;

export function checkChosenId(id: string): void {
  if (id.length <= longestId) return;
  throw new A2AError("InvalidParams", `A task id may have at most ${longestId} characters, got ${id.length}`, {
    violations: [{ path: "$.message.taskId", message: `must have at most ${longestId} characters` }],
  });
}

export function checkRange(value: number, low: number, high: number, path: string): void {
  if (value >= low && value <= high) return;
  const name = path.slice(path.lastIndexOf(".") + 1);
  throw new A2AError("InvalidParams", `${name} must be from ${low} to ${high}, got ${value}`, {
    violations: [{ path, message: `must be from ${low} to ${high}` }],
  });
}

export function checkHistoryLength(value: number | undefined, path: string): void {
  if (value !== undefined) checkRange(value, 0, 2147483647, path);
}

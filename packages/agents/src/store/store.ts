import type { Artifact, JsonObject, Message, Task, TaskState, TaskStatus } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import type { StopSignal } from "@assay/wire/server";

/**
 * An event of a task. The log is the truth: snapshots are derived from it and streams read it, so every
 * subscriber sees the same events in the same order.
 */
export type TaskEvent =
  | { readonly is: "created"; readonly task: Task }
  | { readonly is: "status"; readonly status: TaskStatus; readonly metadata?: JsonObject }
  | {
      readonly is: "artifact";
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly metadata?: JsonObject;
    }
  /** the user sent another message */
  | { readonly is: "message"; readonly message: Message }
  | { readonly is: "cancel-requested"; readonly metadata?: JsonObject };

/** Follows a task's log in batches, while it grows. A reader that stops early calls `return`. */
export interface TaskLog extends AsyncIterableIterator<readonly TaskEvent[]> {
  next(): Promise<IteratorResult<readonly TaskEvent[], void>>;
  return(): Promise<IteratorResult<readonly TaskEvent[], void>>;
}

export interface TaskFilter {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** status time, milliseconds, inclusive */
  readonly since?: number;
}

export interface TaskPage {
  readonly tasks: Task[];
  /** start of the next page; absent on the last one */
  readonly cursor?: string;
  /** number of matching tasks, over all pages */
  readonly total: number;
}

/** The log changed since `expected` was read: another writer appended first. */
export class SequenceConflict extends Error {
  override readonly name = "SequenceConflict";
}

/**
 * Returns true if the database of a store is unavailable or full. It compares codes, because the database
 * code is loaded on demand.
 */
export const isAway = (error: unknown): error is AssayError =>
  error instanceof AssayError && error.code === "database-unavailable";

/** The end of a task could not be written because the store was unavailable: no events follow until it is. */
export class TaskStranded extends Error {
  override readonly name = "TaskStranded";
}

/** The store has its maximum number of open tasks. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
}

/** A caller has its maximum number of open or stored tasks. */
export class CallerFull extends Error {
  override readonly name = "CallerFull";
}

/** Too much has changed since the walk began to continue it. */
export class CursorExpired extends Error {
  override readonly name = "CursorExpired";
}

/**
 * Returns the key of a task over all scopes. A scope is agent, tenant and caller, a line each, followed by
 * the id.
 */
export const taskKey = (scope: string, id: string): string => `${scope}\n${id}`;

/**
 * Tasks belong to a scope (agent, tenant, caller) and are invisible to others. Returned snapshots are live
 * views: read them at once, or copy them.
 */
export interface TaskStore {
  /** Throws SequenceConflict if the id is taken in this scope. The caller's account is charged. */
  create(scope: string, task: Task, account?: string): Promise<void>;
  /** Replaces a task with its id in one step and deletes the old one. */
  replace(scope: string, task: Task, account?: string): Promise<void>;
  /**
   * Appends events after `expectedSeq`; resolves to the new sequence number. An ended task accepts no events.
   * A full store still accepts statuses and cancel requests, so that tasks can end. `account` is the caller
   * that appends, if it did not create the task. A status with which the task rests also releases it, so that
   * a reader of that status can claim it.
   */
  append(
    scope: string,
    id: string,
    expectedSeq: number,
    events: readonly TaskEvent[],
    account?: string,
  ): Promise<number>;
  /** Appends one event without a promise; only in stores that never wait. Otherwise the same as `append`. */
  appendNow?(scope: string, id: string, expectedSeq: number, event: TaskEvent, account?: string): number;
  snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined>;
  /**
   * Follows the log from `seq` on, in batches as it grows, up to the event that ends the task. The position
   * is fixed by the call, not by the first read, and a slow follower delays no other. Throws if the task
   * cannot continue because its end could not be written.
   */
  follow(scope: string, id: string, seq: number, signal: StopSignal): TaskLog;
  list(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage>;
  /** Reserves the task for this owner until `until`; false if another owner has it. */
  claim(scope: string, id: string, owner: string, until: number): Promise<boolean>;
  /** Extends the reservation of this owner, if it still has one. */
  renew(scope: string, id: string, owner: string, until: number): Promise<void>;
  release(scope: string, id: string, owner: string): Promise<void>;
  /** Deletes a task. */
  remove(scope: string, id: string): Promise<void>;
  /** Returns true if a skill works on the task in another process that shares the store. */
  isElsewhere(scope: string, id: string): Promise<boolean>;
}

import type { Artifact, JsonObject, Message, Task, TaskState, TaskStatus } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";

/**
 * What happened to a task, in order. The log is the truth: snapshots are derived from it and streams are
 * reads of it, so every subscriber sees the same events in the same order.
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
  /** a message of the user joined the conversation */
  | { readonly is: "message"; readonly message: Message }
  | { readonly is: "cancel-requested"; readonly metadata?: JsonObject };

/** A task's log as it is followed: in batches, while it grows. Who stops before its end says so (`return`). */
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
  /** where the next page starts; absent on the last one */
  readonly cursor?: string;
  /** how many tasks match, over all pages */
  readonly total: number;
}

/** The log moved on since `expected` was read: another writer appended first. */
export class SequenceConflict extends Error {
  override readonly name = "SequenceConflict";
}

/** Whether the database of a store is away, or full. By its code: what databases need is loaded where there is one. */
export const isAway = (error: unknown): error is AssayError =>
  error instanceof AssayError && error.code === "database-unavailable";

/** The end of a task could not be written because the store was away: nothing more will come of it before that is made up for. */
export class TaskStranded extends Error {
  override readonly name = "TaskStranded";
}

/** As many tasks are open as the store takes. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
}

/** As many tasks of one caller are open, or kept and open, as one may have. */
export class CallerFull extends Error {
  override readonly name = "CallerFull";
}

/** So much has changed since the walk began that the store cannot tell any more what it has not shown yet. */
export class CursorExpired extends Error {
  override readonly name = "CursorExpired";
}

/** A task's name among those of all scopes. A scope is agent, tenant and caller, a line each: what follows is the id. */
export const taskKey = (scope: string, id: string): string => `${scope}\n${id}`;

/**
 * Tasks live in a scope (agent, tenant, caller); from another scope they do not exist.
 * Snapshots handed out are live views: read them at once, or copy.
 */
export interface TaskStore {
  /** An id that is taken in this scope is a SequenceConflict. The task is held on the caller's account. */
  create(scope: string, task: Task, account?: string): Promise<void>;
  /** Puts a task in the place of one with its id, all at once: what was there before is forgotten. */
  replace(scope: string, task: Task, account?: string): Promise<void>;
  /**
   * Adds events behind `expectedSeq`; resolves to the new sequence number. Nothing can be added to a task that
   * ended. A full store still takes statuses and cancel requests, so that tasks can end. `account` is that of the
   * caller that has it grow, where it is not the one that created it. A status with which the task rests takes it from its
   * owner in the same step: whoever reads that the task waits for its client can claim it.
   */
  append(
    scope: string,
    id: string,
    expectedSeq: number,
    events: readonly TaskEvent[],
    account?: string,
  ): Promise<number>;
  snapshot(scope: string, id: string): Promise<{ task: Task; seq: number } | undefined>;
  /**
   * The log from `seq` on, in batches as it grows; ends behind the event that ends the task. The place is taken
   * by the call, not by the first read, and a follower that reads slowly holds up no other: the log waits for it. Throws where the
   * task cannot go on because its end could not be written.
   */
  follow(scope: string, id: string, seq: number, signal: AbortSignal): TaskLog;
  list(scope: string, filter: TaskFilter, size: number, cursor?: string): Promise<TaskPage>;
  /** Reserves the task for this owner until `until`; false when another owner has it. */
  claim(scope: string, id: string, owner: string, until: number): Promise<boolean>;
  /** Extends what this owner has; does nothing where it has the task no longer. */
  renew(scope: string, id: string, owner: string, until: number): Promise<void>;
  release(scope: string, id: string, owner: string): Promise<void>;
  /** Forgets a task. */
  remove(scope: string, id: string): Promise<void>;
  /** Whether a skill is at work on the task in another process that shares the store. */
  isElsewhere(scope: string, id: string): Promise<boolean>;
}

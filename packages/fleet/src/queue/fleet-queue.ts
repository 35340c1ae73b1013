import { createHash } from "node:crypto";

/**
 * A job contains only names. Someone who can write to the queue can have an agent examined once more, and nothing else:
 * address, options and credentials are in the ledger.
 */
export interface QueuedJob {
  readonly sweep: string;
  /** what the agent is called in its fleet */
  readonly agent: string;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/**
 * The result of a job: done, or again after a delay in milliseconds. A job that waits for a busy host was not tried; a job
 * with a temporary failure was, and counts as an attempt.
 */
export type JobOutcome = { readonly done: true } | { readonly again: number; readonly because: "busy" | "retry" };

/**
 * `attempt` counts from 1: retries, and workers that died over the job, count; being put off does not. Where it throws, the job is
 * handed out again, later.
 */
export type JobHandler = (job: QueuedJob, attempt: number, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkOptions {
  readonly concurrency: number;
  /** ends the work: no more jobs are taken, and those under way hear of it */
  readonly signal: AbortSignal;
  /** delay in milliseconds before workers receive it */
  readonly grace?: number;
  /** ends the work when nothing waits, runs or is delayed */
  readonly untilEmpty?: boolean;
}

/**
 * Hands out jobs. A job may be handed out more than once (a worker died): what makes a verdict single is the ledger, not the
 * queue. Adding a job that is there already does nothing.
 */
export interface FleetQueue {
  add(jobs: readonly QueuedJob[]): Promise<void>;
  /** Returns when every handler it called has come back; jobs that were not handed out stay in the queue. */
  work(handle: JobHandler, options: WorkOptions): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/**
 * The id of a job in the queue. The same agent in the same sweep is the same job, so adding it again does nothing. Names may
 * have any length and any character, so the id is their digest. The letter in front keeps it from being a number.
 */
export const jobId = ({ sweep, agent }: QueuedJob): string =>
  `j${createHash("sha256")
    .update(JSON.stringify([sweep, agent]))
    .digest("base64url")
    .slice(0, 22)}`;

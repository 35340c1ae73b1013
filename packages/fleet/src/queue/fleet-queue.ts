import { createHash } from "node:crypto";

/**
 * A job contains only names. Someone who can write to the queue can have an agent examined once more, and nothing else:
 * address, options and credentials are in the ledger.
 */
export interface QueuedJob {
  readonly sweep: string;
  /** the agent's name in its fleet */
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
 * `attempt` counts from 1. It includes retries and workers that died during the job, but not delays. If the handler
 * throws, the queue hands out the job again later.
 */
export type JobHandler = (job: QueuedJob, attempt: number, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkOptions {
  readonly concurrency: number;
  /** stops the work: no more jobs are taken, and running ones are aborted */
  readonly signal: AbortSignal;
  /** milliseconds that running jobs of a shared queue have to finish after the signal (default: 0) */
  readonly grace?: number;
  /** ends the work when nothing waits, runs or is delayed */
  readonly untilEmpty?: boolean;
}

/**
 * Hands out jobs. It may hand out a job more than once if a worker died; the ledger, not the queue, makes verdicts
 * unique. Adding a job that is already there does nothing.
 */
export interface FleetQueue {
  add(jobs: readonly QueuedJob[]): Promise<void>;
  /** Takes jobs, and returns when all called handlers have returned. Other jobs stay in the queue. */
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

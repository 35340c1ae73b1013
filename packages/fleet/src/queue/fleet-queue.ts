import { createHash } from "node:crypto";

/**
 * What a queue carries: names, and nothing else. Whoever can write to a queue can have an agent of a sweep examined once more; what
 * is asked of it, where it is and how one logs in stands in the ledger.
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
 * What a worker answers about a job: it is done, or it wants it back after so many milliseconds. One that was put off because
 * its host is busy was not tried; one that failed in passing was, and is tried again.
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
  /** they hear of it only so many milliseconds later */
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
 * What a queue knows a job by: the same agent in the same sweep is the same job, so that adding it again does nothing. Names may be of any length and hold any character, so their digest stands for them; the letter keeps it from being a number.
 */
export const jobId = ({ sweep, agent }: QueuedJob): string =>
  `j${createHash("sha256")
    .update(JSON.stringify([sweep, agent]))
    .digest("base64url")
    .slice(0, 22)}`;

import type { FleetJob } from "../examining/examination.ts";

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

/** `attempt` counts from 1, and counts retries only. Where it throws, the job is handed out again, later. */
export type JobHandler = (job: FleetJob, attempt: number, signal: AbortSignal) => Promise<JobOutcome>;

/**
 * Hands out jobs. A job may be handed out more than once (a worker died): what makes a verdict single is the ledger, not the
 * queue. Adding a job that is there already does nothing.
 */
export interface FleetQueue {
  add(jobs: readonly FleetJob[]): Promise<void>;
  /**
   * Works until the signal, or, with `untilEmpty`, until nothing waits, runs or is delayed. It returns when every handler it
   * called has come back; jobs that were not handed out stay in the queue.
   */
  work(
    handle: JobHandler,
    options: { readonly concurrency: number; readonly signal: AbortSignal; readonly untilEmpty?: boolean },
  ): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

import type { FleetJob } from "../examining/examination.ts";

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/** What a worker answers about a job: it is done, or it wants it back after a while (politeness, a retry). */
export type JobOutcome = { readonly done: true } | { readonly again: number };

/**
 * Hands out jobs. A job may be handed out more than once (a worker died): what makes a verdict single is the ledger, not the
 * queue. Adding a job that is there already does nothing.
 */
export interface FleetQueue {
  add(jobs: readonly FleetJob[]): Promise<void>;
  /** Works until the signal, or, with `untilEmpty`, until nothing waits, runs or is delayed. */
  work(
    handle: (job: FleetJob, attempt: number, signal: AbortSignal) => Promise<JobOutcome>,
    options: { readonly concurrency: number; readonly signal: AbortSignal; readonly untilEmpty?: boolean },
  ): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

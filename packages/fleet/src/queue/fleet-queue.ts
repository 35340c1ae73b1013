import type { FleetJob } from "../examining/examination.ts";

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/**
 * What a worker answers about a job: it is done; it was tried and wants to be tried again, so many milliseconds later; or it was not
 * tried (its host is busy, we are about to stop) and comes back later, which counts as no attempt.
 */
export type JobOutcome = { readonly done: true } | { readonly again: number } | { readonly later: number };

/** `attempt` counts from 1: the times it was to be tried again, and the times a worker died over it. */
export type JobHandler = (job: FleetJob, attempt: number, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkOptions {
  readonly concurrency: number;
  /** ends the work: no more jobs are taken */
  readonly signal: AbortSignal;
  /** and then, jobs under way have so many milliseconds before the signal of their handler */
  readonly grace?: number;
  /** ends the work when nothing waits, runs or is delayed */
  readonly untilEmpty?: boolean;
}

/**
 * Hands out jobs. A job may be handed out more than once (a worker died): what makes a verdict single is the ledger, not the
 * queue. Adding a job that is there already does nothing.
 */
export interface FleetQueue {
  add(jobs: readonly FleetJob[]): Promise<void>;
  work(handle: JobHandler, options: WorkOptions): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

import type { Queue, Worker } from "bullmq";
import type { FleetQueue, JobHandler, JobOutcome, QueueCounts, QueuedJob, WorkOptions } from "./fleet-queue.ts";
import { jobId } from "./fleet-queue.ts";
import { patiently } from "./patience.ts";
import { type QueueAddress, readQueueAddress } from "./queue-address.ts";
import { type EngineJob, openEngine, type QueueEngine } from "./queue-engine.ts";

export interface EngineQueueOptions {
  /** milliseconds that a silent worker keeps its jobs */
  readonly lease?: number;
  /** called with every error that is retried: an unreachable server, or a job whose handler threw */
  readonly trouble?: (error: Error) => void;
  /** delay in milliseconds of a job whose handler threw */
  readonly afterTroubleMs?: number;
}

const leaseMs = 15_000;
/** Milliseconds between two attempts to reach the server. */
const retryMs = 1_000;
const addedAtOnce = 1_000;
/** Assay does not read the engine's events. */
const keptEvents = 100;
/** The engine never gives up on a job, because the handler decides how often an agent is tried. */
const noLimit = 1_000_000_000;
const lookMs = 200;
const jobOptions = {
  attempts: noLimit,
  backoff: { type: "custom" },
  // The ledger has the completed jobs, so the queue only keeps open ones.
  removeOnComplete: true,
  stackTraceLimit: 0,
} as const;
/** Maximum time to close the queue when the server is away. */
const closeMs = 3_000;

/** Opens a queue that any number of processes share. */
export async function openQueue(address: QueueAddress | string, options: EngineQueueOptions = {}): Promise<FleetQueue> {
  const place = typeof address === "string" ? readQueueAddress(address) : address;
  return new EngineQueue(await openEngine(place), options);
}

/** Thrown to return a job to the queue as a failed attempt. */
class TryAgain extends Error {
  readonly delay: number;

  constructor(delay: number) {
    super("to be tried again");
    this.delay = delay;
  }
}

class EngineQueue implements FleetQueue {
  readonly #engine: QueueEngine;
  readonly #queue: Queue<QueuedJob>;
  readonly #lease: number;
  readonly #trouble: (error: Error) => void;
  readonly #afterTroubleMs: number;
  readonly #closed = new AbortController();

  constructor(
    engine: QueueEngine,
    { lease = leaseMs, trouble = () => {}, afterTroubleMs = 5_000 }: EngineQueueOptions,
  ) {
    this.#afterTroubleMs = afterTroubleMs;
    this.#engine = engine;
    this.#lease = lease;
    this.#trouble = trouble;
    this.#queue = engine.queue({ streams: { events: { maxLen: keptEvents } } });
    this.#queue.on("error", trouble);
  }

  async add(jobs: readonly QueuedJob[]): Promise<void> {
    for (let at = 0; at < jobs.length; at += addedAtOnce) {
      const entries = jobs.slice(at, at + addedAtOnce).map(({ sweep, agent }) => ({
        name: "agent",
        data: { sweep, agent },
        opts: { ...jobOptions, jobId: jobId({ sweep, agent }) },
      }));
      await this.#patiently(() => this.#queue.addBulk(entries));
    }
  }

  async work(handle: JobHandler, options: WorkOptions): Promise<void> {
    const { concurrency, signal, untilEmpty, grace = 0 } = options;
    if (signal.aborted) return;
    const running = new Map<string, AbortController>();
    const third = Math.ceil(this.#lease / 3);
    const worker = this.#engine.worker((job, token) => this.#handled(job, token!, handle, running), {
      concurrency,
      autorun: false,
      lockDuration: this.#lease,
      lockRenewTime: third,
      stalledInterval: third,
      maxStalledCount: noLimit,
      runRetryDelay: retryMs,
      settings: { backoffStrategy: (_made, _type, error) => (error instanceof TryAgain ? error.delay : retryMs) },
    });
    worker.on("error", this.#trouble);
    // Another worker already has the job, so abort this one.
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) running.get(id)?.abort();
    });
    const ended = worker.run();
    await Promise.race([ended, aborted(signal), ...(untilEmpty ? [this.#untilEmpty(signal)] : [])]);
    await finish(worker, running, grace);
  }

  async #handled(
    job: EngineJob,
    token: string,
    handle: JobHandler,
    running: Map<string, AbortController>,
  ): Promise<void> {
    const stop = new AbortController();
    running.set(job.id!, stop);
    // A worker that died during the job counts as an attempt.
    const attempt = job.attemptsMade + job.stalledCounter + 1;
    try {
      const outcome = await handle(job.data, attempt, stop.signal).catch((error: Error): JobOutcome => {
        this.#trouble(error);
        return { again: this.#afterTroubleMs, because: "busy" };
      });
      if ("done" in outcome) return;
      const delay = Math.max(1, Math.round(outcome.again));
      if (outcome.because === "retry") throw new TryAgain(delay);
      await job.moveToDelayed(Date.now() + delay, token);
      throw new this.#engine.library.DelayedError();
    } finally {
      running.delete(job.id!);
    }
  }

  async #untilEmpty(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { waiting, active, delayed } = await this.counts();
      if (waiting + active + delayed === 0) return;
      await pause(lookMs);
    }
  }

  async counts(): Promise<QueueCounts> {
    const counts = await this.#patiently(() => this.#queue.getJobCounts("waiting", "active", "delayed", "failed"));
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { waiting, active, delayed, failed };
  }

  /** Repeats calls until the server responds. Callers only pass calls that may be repeated. */
  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, { signal: this.#closed.signal, trouble: this.#trouble });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await within(closeMs, this.#queue.close());
  }
}

/** Stops taking jobs. Running ones may finish within the grace period; then they return to the queue. */
async function finish(worker: Worker<QueuedJob>, running: Map<string, AbortController>, grace: number): Promise<void> {
  const closed = worker.close();
  const giveBack = setTimeout(() => {
    for (const stop of running.values()) stop.abort();
  }, grace);
  const isOver = await within(grace + closeMs, closed);
  clearTimeout(giveBack);
  // The server is unreachable or a handler ignores the signal. The lease will free its jobs.
  if (!isOver) await within(closeMs, worker.backend.close(true));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Tells if the work finished within this many milliseconds. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const over = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(over, over);
  });
}

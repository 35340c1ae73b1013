import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetQueue, JobHandler, QueueCounts, QueuedJob, WorkOptions } from "./fleet-queue.ts";
import { jobId } from "./fleet-queue.ts";

interface Entry {
  readonly key: string;
  readonly job: QueuedJob;
  attempt: number;
  /** earliest start, in milliseconds since the epoch */
  due: number;
  /** number of times that its handler threw */
  thrown: number;
}

interface InProcessOptions {
  readonly now?: () => number;
  /** delay in milliseconds of a job whose handler threw */
  readonly afterTroubleMs?: number;
  /** number of times that a handler may throw on one job before the job counts as failed */
  readonly mostThrows?: number;
}

/** A queue inside one process. Its content is lost with the process, and restored from the list and the ledger. */
export class InProcessQueue implements FleetQueue {
  readonly #now: () => number;
  readonly #mostThrows: number;
  readonly #afterTroubleMs: number;
  readonly #keys = new Set<string>();
  readonly #waiting: Entry[] = [];
  readonly #delayed = new Set<Entry>();
  #active = 0;
  #failed = 0;
  /** wakes workers when jobs are added or done */
  readonly #changes = new EventEmitter();

  constructor({ now = Date.now, afterTroubleMs = 1_000, mostThrows = 5 }: InProcessOptions = {}) {
    this.#now = now;
    this.#afterTroubleMs = afterTroubleMs;
    this.#mostThrows = mostThrows;
  }

  async add(jobs: readonly QueuedJob[]): Promise<void> {
    for (const job of jobs) {
      const key = jobId(job);
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      this.#waiting.push({ key, job, attempt: 1, due: 0, thrown: 0 });
    }
    this.#wake();
  }

  async work(handle: JobHandler, { concurrency, signal, untilEmpty = false }: WorkOptions): Promise<void> {
    const running = new Set<Promise<void>>();
    while (!signal.aborted) {
      this.#bringDue();
      while (running.size < concurrency && this.#waiting.length > 0) {
        const one = this.#run(this.#waiting.shift()!, handle, signal).finally(() => running.delete(one));
        running.add(one);
      }
      if (untilEmpty && this.#active === 0 && this.#waiting.length === 0 && this.#delayed.size === 0) break;
      await this.#somethingHappens(signal);
    }
    await Promise.all(running);
  }

  async counts(): Promise<QueueCounts> {
    this.#bringDue();
    return {
      waiting: this.#waiting.length,
      active: this.#active,
      delayed: this.#delayed.size,
      failed: this.#failed,
    };
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
    this.#delayed.clear();
    this.#keys.clear();
    this.#wake();
  }

  async #run(entry: Entry, handle: JobHandler, signal: AbortSignal): Promise<void> {
    this.#active++;
    try {
      const outcome = await handle(entry.job, entry.attempt, signal);
      if ("done" in outcome) this.#keys.delete(entry.key);
      else {
        if (outcome.because === "retry") entry.attempt++;
        this.#putOff(entry, outcome.again);
      }
    } catch {
      entry.thrown++;
      if (entry.thrown < this.#mostThrows) this.#putOff(entry, this.#afterTroubleMs);
      else {
        this.#keys.delete(entry.key);
        this.#failed++;
      }
    } finally {
      this.#active--;
      this.#wake();
    }
  }

  #putOff(entry: Entry, ms: number): void {
    entry.due = this.#now() + ms;
    this.#delayed.add(entry);
  }

  /** Appends jobs whose delay is over to the waiting ones, so that a job with many delays never overtakes others. */
  #bringDue(): void {
    const now = this.#now();
    for (const entry of this.#delayed) {
      if (entry.due > now) continue;
      this.#delayed.delete(entry);
      this.#waiting.push(entry);
    }
  }

  #wake(): void {
    this.#changes.emit("change");
  }

  /** Resolves when a job was added or has ended, when a delay is over, or when the signal aborts. */
  async #somethingHappens(signal: AbortSignal): Promise<void> {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#delayed) next = Math.min(next, due);
    const over = new AbortController();
    const either = { signal: AbortSignal.any([signal, over.signal]) };
    const isDue = next < Number.POSITIVE_INFINITY && delay(Math.max(1, next - this.#now()), undefined, either);
    // Only the signal makes these reject, and the caller checks it.
    await Promise.race([once(this.#changes, "change", either), ...(isDue ? [isDue] : [])]).catch(() => {});
    over.abort();
  }
}

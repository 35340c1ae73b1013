import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetQueue, JobHandler, QueueCounts, QueuedJob, WorkOptions } from "./fleet-queue.ts";
import { jobId } from "./fleet-queue.ts";

interface Entry {
  readonly key: string;
  readonly job: QueuedJob;
  attempt: number;
  /** milliseconds since the epoch: not before */
  due: number;
  /** how often its handler threw */
  thrown: number;
}

interface InProcessOptions {
  readonly now?: () => number;
  /** how long a job rests whose handler threw */
  readonly afterTroubleMs?: number;
  /** so often a handler may throw on one job before it is given up: it counts as failed */
  readonly mostThrows?: number;
}

/** The queue of one process: what is in it is gone with the process, and put in again from list and ledger. */
export class InProcessQueue implements FleetQueue {
  readonly #now: () => number;
  readonly #mostThrows: number;
  readonly #afterTroubleMs: number;
  readonly #keys = new Set<string>();
  readonly #waiting: Entry[] = [];
  readonly #delayed = new Set<Entry>();
  #active = 0;
  #failed = 0;
  /** tells workers that there may be something to do, or nothing left */
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

  /** Jobs whose time has come wait behind the others: one that is put off again and again keeps none of them from its turn. */
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

  /** A job came, or ended, or its time has come, or the signal. */
  async #somethingHappens(signal: AbortSignal): Promise<void> {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#delayed) next = Math.min(next, due);
    const over = new AbortController();
    const either = { signal: AbortSignal.any([signal, over.signal]) };
    const isDue = next < Number.POSITIVE_INFINITY && delay(Math.max(1, next - this.#now()), undefined, either);
    // What ends the waiting is the signal, and then there is nothing to be done about it.
    await Promise.race([once(this.#changes, "change", either), ...(isDue ? [isDue] : [])]).catch(() => {});
    over.abort();
  }
}

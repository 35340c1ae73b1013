import type { Clock } from "../definition/clock.ts";

interface OpenTask {
  due: number;
  /** the due time when it was queued */
  queuedFor: number;
  /** removed with the task, because the tables of a Map may outlive their entries (`Queue`) */
  end: () => void;
}

const nothing = (): void => {};

/** The longest delay of a timer. */
const longestSleepMs = 2 ** 31 - 1;

/** Ends open tasks without activity, so that tasks of clients that never return are not kept forever. */
export class TaskExpiry {
  readonly #clock: Clock;
  readonly #afterMs: number;
  /** the longest waiting task first (a Map keeps insertion order) */
  readonly #open = new Map<string, OpenTask>();
  readonly #closing = new AbortController();
  #isWatching = false;

  constructor(clock: Clock, afterMs: number) {
    this.#clock = clock;
    this.#afterMs = afterMs;
  }

  /** Restarts the time of a task after some activity. `end` is called when it runs out. */
  touch(key: string, end: () => void): void {
    const due = this.#clock.now() + this.#afterMs;
    const known = this.#open.get(key);
    // It is requeued when its turn comes: most tasks have ended by then.
    if (known) known.due = due;
    else this.#open.set(key, { due, queuedFor: due, end });
    if (!this.#isWatching) void this.#watch();
  }

  /** Removes a task that has ended. */
  settle(key: string): void {
    const known = this.#open.get(key);
    if (!known) return;
    known.end = nothing;
    this.#open.delete(key);
  }

  close(): void {
    this.#open.clear();
    this.#closing.abort();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { signal } = this.#closing;
    for (let [first] = this.#open; first && !signal.aborted; [first] = this.#open) {
      const [key, task] = first;
      const { due, end } = task;
      if (due > task.queuedFor) {
        task.queuedFor = due;
        this.#open.delete(key);
        this.#open.set(key, task);
        continue;
      }
      const left = due - this.#clock.now();
      if (left <= 0) {
        this.#open.delete(key);
        end();
        continue;
      }
      // Tasks that are due soon after it wait for the next pass. Scaled time does not make clients
      // faster.
      const pause = Math.min(Math.max(left, this.#afterMs / 100), longestSleepMs);
      await this.#clock.sleep(pause, signal, pause).catch(() => {});
    }
    this.#isWatching = false;
  }
}

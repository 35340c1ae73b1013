import type { Clock } from "../definition/clock.ts";

interface OpenTask {
  due: number;
  /** when it was due when it was put where it stands */
  queuedFor: number;
  readonly end: () => void;
}

/** A timer cannot wait longer. */
const longestSleepMs = 2 ** 31 - 1;

/** Ends open tasks that nothing happens to: what waits for a client that does not come back is not kept for ever. */
export class TaskExpiry {
  readonly #clock: Clock;
  readonly #afterMs: number;
  /** the one that has waited longest first (a Map keeps the order of insertion) */
  readonly #open = new Map<string, OpenTask>();
  readonly #closing = new AbortController();
  #isWatching = false;

  constructor(clock: Clock, afterMs: number) {
    this.#clock = clock;
    this.#afterMs = afterMs;
  }

  /** Something happened to the task: its time begins anew. `end` is called when it is over. */
  touch(key: string, end: () => void): void {
    const due = this.#clock.now() + this.#afterMs;
    const known = this.#open.get(key);
    // It is moved when its turn comes: most have ended by then.
    if (known) known.due = due;
    else this.#open.set(key, { due, queuedFor: due, end });
    if (!this.#isWatching) void this.#watch();
  }

  /** The task has ended. */
  settle(key: string): void {
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
      // Those that are due soon after it may wait for the next look. Scaled time does not make clients answer faster.
      const pause = Math.min(Math.max(left, this.#afterMs / 100), longestSleepMs);
      await this.#clock.sleep(pause, signal, pause).catch(() => {});
    }
    this.#isWatching = false;
  }
}

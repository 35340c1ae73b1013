import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "./clock.ts";

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** Runs all pending microtasks and timers that wait only for their turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop();
}

/** A clock that a test advances. It records the sleeps. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #sleepers: Sleeper[] = [];
  #now: number;

  constructor(start = "2026-11-15T12:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  /** number of current sleepers */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(ms);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        signal.removeEventListener("abort", startle);
      };
      const startle = () => {
        leave();
        reject(signal.reason);
      };
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          leave();
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal.addEventListener("abort", startle);
    });
  }

  /** Advances time and wakes each sleeper when it is due. Its work completes before time advances further. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settle();
    }
    this.#now = end;
  }

  #next(end: number): Sleeper | undefined {
    const [first] = this.#sleepers.toSorted((a, b) => a.until - b.until);
    return first && first.until <= end ? first : undefined;
  }
}

/** A clock whose sleeps end at once and advance the time. */
export class InstantClock implements Clock {
  readonly slept: number[] = [];
  #now = Date.parse("2026-11-15T12:00:00.000Z");

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
  }
}

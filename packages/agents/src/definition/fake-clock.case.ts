import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "./clock.ts";

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** Lets everything that waits for nothing but its turn go as far as it can. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop();
}

/** Time that passes when a test says so, and is remembered by what was slept. */
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

  /** how many are asleep now */
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

  /** Lets time pass, waking each sleeper at its hour; what it does then is done before time goes on. */
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

/** A sleep is over at once, and its time has passed. */
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

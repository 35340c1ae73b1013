import type { StopSignal } from "@assay/wire/server";
import type { TaskEvent, TaskLog } from "./store.ts";

/** The events of an open task, and its followers. */
export class MemoryLog {
  readonly events: TaskEvent[];
  /** number of reading followers, whose events stay in memory */
  readers = 0;
  #waiting: Follower[] = [];
  #isWaking = false;
  #ended = false;

  constructor(first: TaskEvent) {
    this.events = [first];
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Ends the log: followers read the rest and stop. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Notifies waiting followers once the current microtasks are done, so that a burst of events is read at
   * once.
   */
  wake(): void {
    if (this.#waiting.length === 0 || this.#isWaking) return;
    this.#isWaking = true;
    process.nextTick(() => {
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#isWaking = false;
      for (const follower of waiting) follower.goOn();
    });
  }

  await(follower: Follower): void {
    this.#waiting.push(follower);
  }

  forget(follower: Follower): void {
    this.#waiting = this.#waiting.filter((each) => each !== follower);
  }
}

type Batch = IteratorResult<readonly TaskEvent[], void>;

const over: Batch = { done: true, value: undefined };

/**
 * Reads a log from a position on, in batches as it grows. Written by hand, because a generator would add and
 * remove an abort listener for every event.
 */
export class Follower implements TaskLog {
  readonly #log: MemoryLog;
  readonly #signal: StopSignal;
  readonly #count: (change: 1 | -1) => void;
  #read: number;
  #is: "new" | "reading" | "over" = "new";
  #resolve: ((batch: Batch) => void) | undefined;

  /** `count` is called when it starts and stops reading. */
  constructor(log: MemoryLog, seq: number, signal: StopSignal, count: (change: 1 | -1) => void) {
    this.#log = log;
    this.#read = seq;
    this.#signal = signal;
    this.#count = count;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Batch> {
    if (this.#is === "new") this.#begin();
    if (this.#signal.aborted) this.#end();
    const { events, ended } = this.#log;
    if (ended || this.#is === "over") {
      const batch = this.#batch();
      if (batch) return Promise.resolve(batch);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#log.await(this);
      // A skill that is emitting goes first: otherwise both would take turns, with a batch for each event.
      if (this.#read < events.length) this.#log.wake();
    });
  }

  return(): Promise<Batch> {
    this.#end();
    return Promise.resolve(over);
  }

  /** Wakes the follower: there is more to read, or the log has ended. */
  goOn(): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    const batch = this.#batch();
    if (batch) {
      this.#resolve = undefined;
      resolve(batch);
    } else this.#log.await(this); // The event it waits for may come later.
  }

  #begin(): void {
    this.#is = "reading";
    this.#count(1);
    this.#signal.addEventListener("abort", this.#abort);
  }

  /** Returns the events available now; `undefined` if it must wait. */
  #batch(): Batch | undefined {
    const { events, ended } = this.#log;
    if (this.#is === "over") return over;
    if (this.#read < events.length) {
      const value = events.slice(this.#read);
      this.#read = events.length;
      return { done: false, value };
    }
    if (!ended && !this.#signal.aborted) return undefined;
    this.#end();
    return over;
  }

  readonly #abort = (): void => {
    this.#log.forget(this);
    this.goOn();
  };

  #end(): void {
    const hasBegun = this.#is === "reading";
    this.#is = "over";
    if (!hasBegun) return;
    this.#signal.removeEventListener("abort", this.#abort);
    this.#count(-1);
  }
}

/** The log of a missing or ended task. */
export const nothingToFollow: TaskLog = {
  [Symbol.asyncIterator]() {
    return this;
  },
  next: () => Promise.resolve(over),
  return: () => Promise.resolve(over),
};

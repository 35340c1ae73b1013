import type { TaskEvent, TaskLog } from "./store.ts";

/** What happened to a task that has not ended, and those who follow it. */
export class MemoryLog {
  readonly events: TaskEvent[];
  /** how many followers are reading: what they read is in memory, whatever else lets go of it */
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

  /** No more will be added: followers read what is there, and end. */
  end(): void {
    this.#ended = true;
  }

  /**
   * Tells those who wait that there is more, or that it has ended: when the running microtasks are done, so that a skill
   * which says much at once is read at once, and not one event after the other.
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
 * Reads a log from a place on, in batches as it grows. By hand and not as a generator: a stream waits for every single
 * event, and a generator would subscribe to the signal and leave it again for each.
 */
export class Follower implements TaskLog {
  readonly #log: MemoryLog;
  readonly #signal: AbortSignal;
  readonly #count: (change: 1 | -1) => void;
  #read: number;
  #is: "new" | "reading" | "over" = "new";
  #resolve: ((batch: Batch) => void) | undefined;

  /** `count` is told when it begins to read, and when it is done with that. */
  constructor(log: MemoryLog, seq: number, signal: AbortSignal, count: (change: 1 | -1) => void) {
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
    const batch = this.#batch();
    if (batch) return Promise.resolve(batch);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#log.await(this);
    });
  }

  return(): Promise<Batch> {
    this.#end();
    return Promise.resolve(over);
  }

  /** There is more to read, or nothing ever. */
  goOn(): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    const batch = this.#batch();
    if (batch) {
      this.#resolve = undefined;
      resolve(batch);
    } else this.#log.await(this); // What it waits for may be further behind.
  }

  #begin(): void {
    this.#is = "reading";
    this.#count(1);
    this.#signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** What there is to read now; `undefined` when that has to be waited for. */
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

/** The log of a task that is not there, or has ended. */
export const nothingToFollow: TaskLog = {
  [Symbol.asyncIterator]() {
    return this;
  },
  next: () => Promise.resolve(over),
  return: () => Promise.resolve(over),
};

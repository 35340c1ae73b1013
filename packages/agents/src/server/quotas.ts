import { A2AError } from "@assay/protocol/core";
import type { TaskLimits } from "../engine/growth.ts";

/** How much of the test bed one caller may have; what is not given is not limited. */
export interface Quotas extends TaskLimits {
  /** requests to agents a second, in the long run */
  readonly requestsPerSecond?: number | undefined;
  /** requests that may come at once after a pause; ten seconds' worth of them unless given */
  readonly burst?: number | undefined;
  /** streams that are open at the same time */
  readonly streams?: number | undefined;
  /** tasks that have not ended */
  readonly openTasks?: number | undefined;
  /** push configurations of one task */
  readonly webhooksPerTask?: number | undefined;
}

/** The rate of requests of a caller, and its open streams. Those of one server: others that share a store count for themselves. */
export class CallerQuotas {
  readonly #quotas: Quotas;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #streams = new Map<string, number>();

  constructor(quotas: Quotas, now: () => number) {
    this.#quotas = quotas;
    this.#now = now;
  }

  /** Takes one of the requests that the caller may make; throws where there is none left. */
  admit(account: string): void {
    const { requestsPerSecond: rate } = this.#quotas;
    if (rate === undefined) return;
    const size = Math.max(1, this.#quotas.burst ?? 10 * rate);
    const now = this.#now();
    const before = this.#buckets.get(account) ?? { left: size, at: now };
    const left = Math.min(size, before.left + ((now - before.at) / 1_000) * rate);
    // Behind the others: those that were not asked for the longest time are the first to be forgotten.
    this.#buckets.delete(account);
    this.#buckets.set(account, { left: left < 1 ? left : left - 1, at: now });
    this.#forgetFull(size, rate, now);
    if (left >= 1) return;
    throw tooMany(`Too many requests: the limit is ${rate} per second for each caller`, Math.ceil((1 - left) / rate));
  }

  /** A stream is opened for the caller; what is returned says that it is over. */
  openStream(account: string): () => void {
    const { streams: most } = this.#quotas;
    if (most === undefined) return () => {};
    const open = this.#streams.get(account) ?? 0;
    if (open >= most) throw tooMany(`Too many streams: the limit is ${most} for each caller. Close one first`, 1);
    this.#streams.set(account, open + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#streams.get(account) ?? 1) - 1;
      if (left > 0) this.#streams.set(account, left);
      else this.#streams.delete(account);
    };
  }

  /** A bucket that is full again says no more than none. Where all are in use, the one that was not for longest is lost. */
  #forgetFull(size: number, rate: number, now: number): void {
    for (const [account, { left, at }] of this.#buckets) {
      const isFull = left + ((now - at) / 1_000) * rate >= size;
      if (!isFull && this.#buckets.size <= mostBuckets) return;
      this.#buckets.delete(account);
    }
  }
}

/** Who keeps count, where there is something to count. */
export const callerQuotas = (quotas: Quotas, now: () => number): CallerQuotas | undefined =>
  quotas.requestsPerSecond === undefined && quotas.streams === undefined ? undefined : new CallerQuotas(quotas, now);

interface Bucket {
  /** requests that may be made at once */
  readonly left: number;
  /** as of when */
  readonly at: number;
}

const mostBuckets = 100_000;

const tooMany = (why: string, retryAfterSeconds: number): A2AError =>
  new A2AError("TooManyRequests", why, { facts: { retryAfterSeconds: String(retryAfterSeconds) } });

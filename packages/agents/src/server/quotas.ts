import { A2AError } from "@assay/protocol/core";
import type { TaskLimits } from "../engine/growth.ts";

/** Limits for one caller of the test bed; an absent one is unlimited. */
export interface Quotas extends TaskLimits {
  /** average requests per second to agents */
  readonly requestsPerSecond?: number | undefined;
  /** requests at once after a pause (default: ten seconds' worth) */
  readonly burst?: number | undefined;
  /** concurrently open streams */
  readonly streams?: number | undefined;
  /** tasks that have not ended */
  readonly openTasks?: number | undefined;
  /** push configurations of one task */
  readonly webhooksPerTask?: number | undefined;
}

/**
 * Counts the request rate and open streams of callers on this server. Servers that share a store count
 * separately.
 */
export class CallerQuotas {
  readonly #quotas: Quotas;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #streams = new Map<string, number>();

  constructor(quotas: Quotas, now: () => number) {
    this.#quotas = quotas;
    this.#now = now;
  }

  /** Takes one request from the caller's quota; throws if it is used up. */
  admit(account: string): void {
    const { requestsPerSecond: rate } = this.#quotas;
    if (rate === undefined) return;
    const size = Math.max(1, this.#quotas.burst ?? 10 * rate);
    const now = this.#now();
    const before = this.#buckets.get(account) ?? { left: size, at: now };
    const left = Math.min(size, before.left + ((now - before.at) / 1_000) * rate);
    // Moved to the end, so that the least recently used account is removed first.
    this.#buckets.delete(account);
    this.#buckets.set(account, { left: left < 1 ? left : left - 1, at: now });
    this.#forgetFull(size, rate, now);
    if (left >= 1) return;
    throw tooMany(`Too many requests: the limit is ${rate} per second for each caller`, Math.ceil((1 - left) / rate));
  }

  /** Counts an open stream of the caller; the returned function ends it. */
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

  /**
   * Removes full buckets, which carry no information. If all are in use, the least recently used one is
   * removed.
   */
  #forgetFull(size: number, rate: number, now: number): void {
    for (const [account, { left, at }] of this.#buckets) {
      const isFull = left + ((now - at) / 1_000) * rate >= size;
      if (!isFull && this.#buckets.size <= mostBuckets) return;
      this.#buckets.delete(account);
    }
  }
}

/** Creates the counter if there is a limit. */
export const callerQuotas = (quotas: Quotas, now: () => number): CallerQuotas | undefined =>
  quotas.requestsPerSecond === undefined && quotas.streams === undefined ? undefined : new CallerQuotas(quotas, now);

interface Bucket {
  /** requests that are still allowed */
  readonly left: number;
  /** time of that count */
  readonly at: number;
}

const mostBuckets = 100_000;

const tooMany = (why: string, retryAfterSeconds: number): A2AError =>
  new A2AError("TooManyRequests", why, { facts: { retryAfterSeconds: String(retryAfterSeconds) } });

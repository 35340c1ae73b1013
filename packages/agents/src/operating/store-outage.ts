import { isAway } from "../store/store.ts";

/** The store is unavailable or full, or available again. */
export type OutageNotice =
  | { readonly is: "begun"; readonly reason: string }
  | { readonly is: "over"; readonly ms: number };

interface OutageWatchers {
  readonly onOutage?: (outage: OutageNotice) => void;
  readonly onError?: (error: unknown) => void;
}

/**
 * A failed store counts as working after this time without a failure: on a nearly full disk some writes
 * succeed.
 */
const quietMs = 5_000;

/**
 * Reports an outage of the store once when it begins and once when it ends, however many requests fail
 * meanwhile.
 */
export class StoreOutage {
  readonly #watchers: OutageWatchers;
  readonly #now: () => number;
  #outage: { readonly began: number; last: number } | undefined;

  constructor(watchers: OutageWatchers, now: () => number) {
    this.#watchers = watchers;
    this.#now = now;
  }

  /** Checks an error for a store outage; returns false for any other error. */
  saw(error: unknown): boolean {
    if (!isAway(error)) return false;
    const now = this.#now();
    if (this.#outage) {
      this.#outage.last = now;
      return true;
    }
    this.#outage = { began: now, last: now };
    const { onOutage, onError } = this.#watchers;
    if (onOutage) onOutage({ is: "begun", reason: error.message });
    else onError?.(error);
    return true;
  }

  /** Records a successful write. */
  worked(): void {
    const now = this.#now();
    if (!this.#outage || now - this.#outage.last < quietMs) return;
    const ms = this.#outage.last - this.#outage.began;
    this.#outage = undefined;
    this.#watchers.onOutage?.({ is: "over", ms });
  }
}

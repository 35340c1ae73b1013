import { isAway } from "../store/store.ts";

/** The store is away or full, or it is there again. */
export type OutageNotice =
  | { readonly is: "begun"; readonly reason: string }
  | { readonly is: "over"; readonly ms: number };

interface OutageWatchers {
  readonly onOutage?: (outage: OutageNotice) => void;
  readonly onError?: (error: unknown) => void;
}

/** A store that has failed is taken to work when nothing has failed for so long: on a disk that is nearly full some writes succeed. */
const quietMs = 5_000;

/** Tells of an outage of the store once when it begins and once when it is over, however many requests fail meanwhile. */
export class StoreOutage {
  readonly #watchers: OutageWatchers;
  readonly #now: () => number;
  #outage: { readonly began: number; last: number } | undefined;

  constructor(watchers: OutageWatchers, now: () => number) {
    this.#watchers = watchers;
    this.#now = now;
  }

  /** Takes an error for what it says of the store; false where it is about something else. */
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

  /** Something was written. */
  worked(): void {
    const now = this.#now();
    if (!this.#outage || now - this.#outage.last < quietMs) return;
    const ms = this.#outage.last - this.#outage.began;
    this.#outage = undefined;
    this.#watchers.onOutage?.({ is: "over", ms });
  }
}

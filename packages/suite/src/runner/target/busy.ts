import { headerOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** The longest that a run waits, all in all, for an agent that turns every request away. */
export const longestWaitMs = 180_000;
/** From here on people are told that we wait. */
const toldFromMs = 5_000;

/** A wait that an agent or a gateway makes us take, with 429, 503 or their like. */
export interface BusyWait {
  readonly ms: number;
  /** the longest that is waited in all */
  readonly mostMs: number;
  /** HTTP status; over gRPC there may be none */
  readonly status?: number;
  /** as the agent wrote it */
  readonly retryAfter?: string;
}

/** Bounds the time that a run spends on waiting for a busy agent, and tells of it. */
export class BusyAgent {
  readonly #onWait: (wait: BusyWait) => void;
  readonly #now: () => number;
  /** when the agent turned the first request away since it last answered one */
  #since: number | undefined;
  #toldUntil = 0;

  constructor(onWait: (wait: BusyWait) => void = () => {}, now: () => number = () => performance.now()) {
    this.#onWait = onWait;
    this.#now = now;
  }

  answered(): void {
    this.#since = undefined;
  }

  /** Whether to wait so long before a request is sent again. Many requests may wait at a time: it is told once. */
  mayWait(ms: number, { exchange }: Call): boolean {
    const now = this.#now();
    this.#since ??= now;
    if (now + ms - this.#since > longestWaitMs) return false;
    if (ms >= toldFromMs && now >= this.#toldUntil) {
      this.#toldUntil = now + ms;
      const status = exchange.http.response?.status;
      const retryAfter = headerOf(exchange, "Retry-After");
      this.#onWait({
        ...{ ms, mostMs: longestWaitMs },
        ...(status !== undefined && { status }),
        ...(retryAfter !== undefined && { retryAfter }),
      });
    }
    return true;
  }
}

import { headerOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** Maximum total time that a run waits for an agent that rejects every request. */
export const longestWaitMs = 180_000;
/** Waits from this length on are reported to the user. */
const toldFromMs = 5_000;

/** A wait that an agent or gateway demands with 429, 503 or a gRPC equivalent. */
export interface BusyWait {
  readonly ms: number;
  /** the maximum total wait */
  readonly mostMs: number;
  /** HTTP status; may be absent over gRPC */
  readonly status?: number;
  /** as the agent wrote it */
  readonly retryAfter?: string;
}

/** Limits the time that a run waits for a busy agent, and reports it. */
export class BusyAgent {
  readonly #onWait: (wait: BusyWait) => void;
  readonly #now: () => number;
  /** when the agent first rejected a request since its last response */
  #since: number | undefined;
  #toldUntil = 0;

  constructor(onWait: (wait: BusyWait) => void = () => {}, now: () => number = () => performance.now()) {
    this.#onWait = onWait;
    this.#now = now;
  }

  answered(): void {
    this.#since = undefined;
  }

  /** Returns true if the run may wait that long. Reports the wait once, even if many requests wait. */
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

import type { Call } from "../../define/call.ts";
import { bySuspicion } from "./crash-trials.ts";
import { leanOf } from "./lean-call.ts";
import { isGap } from "./retry.ts";

/** A request answered this long before an outage may still have caused it. */
const suspiciousMs = 2_000;
/** Number of requests kept as suspects. */
const recentCalls = 50;

/** The last requests, one of which may have ended the agent. */
export class Suspects {
  readonly #goneAfter: number;
  readonly #recent: { readonly call: Call; readonly at: number }[] = [];

  constructor(goneAfter: number) {
    this.#goneAfter = goneAfter;
  }

  note(call: Call): void {
    this.#recent.push({ call: leanOf(call), at: performance.now() });
    if (this.#recent.length > recentCalls) this.#recent.shift();
  }

  clear(): void {
    this.#recent.length = 0;
  }

  /** Returns the last requests without a response, or else those just before, malformed ones first. */
  amongst(dropped?: readonly Call[]): readonly Call[] {
    const since = performance.now() - this.#goneAfter;
    const unanswered = dropped ?? this.#recent.flatMap(({ call, at }) => (isGap(call) && at > since ? [call] : []));
    if (unanswered.length) return unanswered.toSorted(bySuspicion);
    const last = this.#recent.at(-1)?.at ?? 0;
    return this.#recent.flatMap(({ call, at }) => (at > last - suspiciousMs ? [call] : [])).toSorted(bySuspicion);
  }
}

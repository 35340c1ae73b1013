import type { Call } from "../../define/call.ts";
import { bySuspicion } from "./crash-trials.ts";
import { isGap } from "./retry.ts";

/** A request that was answered this long before the agent went down may still have ended it. */
const suspiciousMs = 2_000;
/** How many requests are kept to look for suspects. */
const recentCalls = 50;

/** The last requests, of which one may have ended the agent. */
export class Suspects {
  readonly #goneAfter: number;
  readonly #recent: { readonly call: Call; readonly at: number }[] = [];

  constructor(goneAfter: number) {
    this.#goneAfter = goneAfter;
  }

  note(call: Call): void {
    this.#recent.push({ call, at: performance.now() });
    if (this.#recent.length > recentCalls) this.#recent.shift();
  }

  clear(): void {
    this.#recent.length = 0;
  }

  /** The last requests that got no answer, else those just before; the malformed ones first. */
  amongst(dropped?: readonly Call[]): readonly Call[] {
    const since = performance.now() - this.#goneAfter;
    const unanswered = dropped ?? this.#recent.flatMap(({ call, at }) => (isGap(call) && at > since ? [call] : []));
    if (unanswered.length) return unanswered.toSorted(bySuspicion);
    const last = this.#recent.at(-1)?.at ?? 0;
    return this.#recent.flatMap(({ call, at }) => (at > last - suspiciousMs ? [call] : [])).toSorted(bySuspicion);
  }
}

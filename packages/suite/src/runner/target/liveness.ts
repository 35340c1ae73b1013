import type { Call } from "../../define/call.ts";
import { type CallEnding, endingOf } from "./retry.ts";

/** After this many unanswered calls in a row, Assay checks if the agent is still there. */
const few = 3;

const unanswered: ReadonlySet<CallEnding> = new Set<CallEnding>([
  "unconnected",
  "dropped",
  "gateway-failed",
  "silence",
]);

/** Returns true if a call shows that the agent is there. */
export const isAnswered = (call: Call): boolean => {
  const ending = endingOf(call);
  return !unanswered.has(ending) && ending !== "out-of-reach" && ending !== "aborted";
};

interface LivenessOptions {
  /** milliseconds without a response on any interface after which the agent counts as gone */
  readonly goneAfter: number;
  /** the same for an agent that accepts connections but stays silent: it may be working on a message */
  readonly silentFor: number;
  /** repeats the first call on every interface; returns true if one answers in time */
  readonly look: (withinMs: number) => Promise<boolean>;
  /** restarts an agent of Assay whose process has ended; returns true if it is back */
  readonly recover: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** called when no interface answers any more */
  readonly onGone: () => void;
}

/** Notices when the agent stops answering. Requests wait while Assay looks for it. */
export class Liveness {
  readonly #options: LivenessOptions;
  #inARow = 0;
  #isWatching = false;
  #search: Promise<void> | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** The agent is known to answer from here on. */
  begin(): void {
    this.#isWatching = true;
  }

  /** Notes how a call ended. */
  note(call: Call): void {
    if (!this.#isWatching || this.#search) return;
    if (isAnswered(call)) this.#inARow = 0;
    else if (unanswered.has(endingOf(call))) {
      this.#inARow += 1;
      if (this.#inARow >= few) this.#search = this.#lookFor(endingOf(call) === "silence");
    }
  }

  /** Waits while Assay looks for the agent. */
  async ready(): Promise<void> {
    await this.#search;
  }

  async #lookFor(isSilent: boolean): Promise<void> {
    const { goneAfter, silentFor, look, recover, sleep, signal, onGone } = this.#options;
    const deadline = performance.now() + (isSilent ? Math.max(goneAfter, silentFor) : goneAfter);
    for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
      const left = deadline - performance.now();
      if (left <= 0) {
        onGone();
        break;
      }
      if (signal.aborted || (await look(left)) || (await recover())) break;
      await sleep(Math.min(pause, left));
    }
    this.#inARow = 0;
    this.#search = undefined;
  }
}

import type { Call } from "../../define/call.ts";
import { type CallEnding, endingOf } from "./retry.ts";

/** So many calls in a row that nothing answered, and the agent is looked for. */
const few = 3;

const unanswered: ReadonlySet<CallEnding> = new Set<CallEnding>([
  "unconnected",
  "dropped",
  "gateway-failed",
  "silence",
]);

/** Whether a call shows that the agent is there. */
export const isAnswered = (call: Call): boolean => {
  const ending = endingOf(call);
  return !unanswered.has(ending) && ending !== "out-of-reach" && ending !== "aborted";
};

interface LivenessOptions {
  /** milliseconds without an answer on any interface after which the agent is gone */
  readonly goneAfter: number;
  /** the same for an agent that takes connections and says nothing: it may be at work on one message */
  readonly silentFor: number;
  /** makes the first call on every interface again; whether one of them is answered in the time */
  readonly look: (withinMs: number) => Promise<boolean>;
  /** starts an agent of ours again whose process has ended; whether it is there again */
  readonly recover: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** no interface answers any more */
  readonly onGone: () => void;
}

/** Notices when the agent no longer answers; requests wait while it is looked for. */
export class Liveness {
  readonly #options: LivenessOptions;
  #inARow = 0;
  #isWatching = false;
  #search: Promise<void> | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** From here on the agent is known to answer. */
  begin(): void {
    this.#isWatching = true;
  }

  /** Takes in how a call ended. */
  note(call: Call): void {
    if (!this.#isWatching || this.#search) return;
    if (isAnswered(call)) this.#inARow = 0;
    else if (unanswered.has(endingOf(call))) {
      this.#inARow += 1;
      if (this.#inARow >= few) this.#search = this.#lookFor(endingOf(call) === "silence");
    }
  }

  /** Waits while the agent is looked for. */
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

import type { ObservationWait, Observed } from "../../report/events.ts";
import type { InterfaceName } from "../../report/result.ts";

/** What the time of one observation, or of a check that makes calls of its own, goes on besides its exchanges. */
export class Lane {
  readonly #from = performance.now();
  readonly #waits: ObservationWait[] = [];
  /** requests were sent */
  hasAsked = false;

  async during<T>(what: ObservationWait["for"], wait: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await wait();
    } finally {
      const to = performance.now();
      if (to - from >= shortestMs) this.#waits.push({ for: what, from, to });
    }
  }

  get isEmpty(): boolean {
    return this.#waits.length === 0;
  }

  /** It is over: the event that tells of it, in a run that began at this time by the clock of the process. */
  closed(named: { readonly what: string; readonly interface: InterfaceName }, startedAt: number): Observed {
    const since = (at: number): number => Math.round(at - startedAt);
    const waits = this.#waits.map((wait) => ({ ...wait, from: since(wait.from), to: since(wait.to) }));
    return { event: "observed", ...named, from: since(this.#from), to: since(performance.now()), waits };
  }
}

/** What is shorter is not seen in any picture. */
const shortestMs = 5;

/** Waits, and notes on the lane what for, where there is one. */
export const waitOn = <T>(lane: Lane | undefined, what: ObservationWait["for"], wait: () => Promise<T>): Promise<T> =>
  lane?.during(what, wait) ?? wait();

import type { ObservationWait, Observed } from "../../report/events.ts";
import type { InterfaceName } from "../../report/result.ts";

/** Records the use of time of one observation, or of a check that makes its own calls, besides its exchanges. */
export class Lane {
  readonly #from = performance.now();
  readonly #waits: ObservationWait[] = [];
  /** has sent requests */
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

  /** Returns the event for the end, relative to the start of the run by the process clock. */
  closed(named: { readonly what: string; readonly interface: InterfaceName }, startedAt: number): Observed {
    const since = (at: number): number => Math.round(at - startedAt);
    const waits = this.#waits.map((wait) => ({ ...wait, from: since(wait.from), to: since(wait.to) }));
    return { event: "observed", ...named, from: since(this.#from), to: since(performance.now()), waits };
  }
}

/** Shorter waits are not visible in any chart. */
const shortestMs = 5;

/** Waits and records the reason on the lane, if there is one. */
export const waitOn = <T>(lane: Lane | undefined, what: ObservationWait["for"], wait: () => Promise<T>): Promise<T> =>
  lane?.during(what, wait) ?? wait();

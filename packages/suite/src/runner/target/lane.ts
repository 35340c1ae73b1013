import type { ObservationWait } from "../../report/events.ts";

/** What the time of one observation goes on besides its exchanges. */
export class Lane {
  /** by the clock of the process */
  readonly waits: ObservationWait[] = [];

  async during<T>(what: ObservationWait["for"], wait: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await wait();
    } finally {
      const to = performance.now();
      if (to - from >= shortestMs) this.waits.push({ for: what, from, to });
    }
  }
}

/** What is shorter is not seen in any picture. */
const shortestMs = 5;

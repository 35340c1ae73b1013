import { setTimeout as wait } from "node:timers/promises";
import { sleepAwake } from "@assay/wire/server";

/** Abstracts time, so that tests and the time-scaled test bed do not wait. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Rejects with the signal's reason if it is aborted first. `atLeast` is the minimum after scaling. */
  sleep(ms: number, signal: AbortSignal, atLeast?: number): Promise<void>;
}

/**
 * The real clock; `scale` 0.1 makes every delay a tenth. A scaled clock is for tests. Its delays do not
 * elapse while the process is blocked, so other code in the process sees the delay too.
 */
export const systemClock = (scale = 1): Clock => ({
  now: () => Date.now(),
  async sleep(ms, signal, atLeast = 0) {
    signal.throwIfAborted();
    const length = Math.max(ms * scale, atLeast);
    await (scale === 1 ? wait(length, undefined, { signal }) : sleepAwake(length, signal));
  },
});

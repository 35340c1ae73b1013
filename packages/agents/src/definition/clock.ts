import { setTimeout as wait } from "node:timers/promises";
import { sleepAwake } from "@assay/wire/server";

/** Time is handed in, so that tests and the time-scaled test bed need none of it. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Rejects with the signal's reason when it is aborted first. `atLeast` bounds what scaling may take away. */
  sleep(ms: number, signal: AbortSignal, atLeast?: number): Promise<void>;
}

/**
 * The real clock; `scale` 0.1 makes every delay a tenth. A scaled one is that of tests, which run beside others: its delays
 * do not pass while the process stands still, so that what takes "a while" takes a while for those who look at it, too.
 */
export const systemClock = (scale = 1): Clock => ({
  now: () => Date.now(),
  async sleep(ms, signal, atLeast = 0) {
    signal.throwIfAborted();
    const length = Math.max(ms * scale, atLeast);
    await (scale === 1 ? wait(length, undefined, { signal }) : sleepAwake(length, signal));
  },
});

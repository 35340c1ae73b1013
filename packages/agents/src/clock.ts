import { setTimeout as wait } from "node:timers/promises";

/** Time is handed in, so that tests and the time-scaled test bed need none of it. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Rejects with the signal's reason when it is aborted first. `atLeast` bounds what scaling may take away. */
  sleep(ms: number, signal: AbortSignal, atLeast?: number): Promise<void>;
}

/** The real clock; `scale` 0.1 makes every delay a tenth. */
export const systemClock = (scale = 1): Clock => ({
  now: () => Date.now(),
  async sleep(ms, signal, atLeast = 0) {
    signal.throwIfAborted();
    await wait(Math.max(ms * scale, atLeast), undefined, { signal });
  },
});

import { performance } from "node:perf_hooks";

/** Long enough to cost nothing, and short enough that a suspended process loses little. */
const stepMs = 50;
/** The least that a step counts, so that a wait lasts at most ten times as long in a process that is never idle. */
const leastMs = 5;

/** Returns the milliseconds that this thread has waited for events so far. */
const idleTime = (): number => performance.eventLoopUtilization().idle;

/**
 * Calls `act` after the process was idle for `ms` milliseconds. Returns a function that cancels it. On a busy machine
 * data from the peers of a process may wait unread for seconds. A plain timer would then blame the peer for our own
 * delay. So only the time counts in which the process had nothing else to do, measured in short steps.
 */
export function whenAwakeFor(ms: number, act: () => void, idle = idleTime): () => void {
  let left = Math.max(0, ms);
  let timer: NodeJS.Timeout;
  const step = (): void => {
    const length = Math.min(left, stepMs);
    const before = idle();
    timer = setTimeout(() => {
      left -= Math.min(length, Math.max(leastMs, idle() - before));
      if (left > 0) step();
      else act();
    }, length);
  };
  step();
  return () => clearTimeout(timer);
}

/** Returns a stopwatch that counts milliseconds as whenAwakeFor does. */
export function awakeStopwatch(): () => number {
  const [idle, start] = [idleTime(), performance.now()];
  return () => Math.max(idleTime() - idle, ((performance.now() - start) * leastMs) / stepMs);
}

/** Sleeps until the process was idle for `ms` milliseconds. Rejects with the signal's reason if it aborts first. */
export const sleepAwake = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = whenAwakeFor(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
  });

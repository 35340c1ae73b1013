/** Long enough to cost nothing, and short enough that a process that is suspended for a second loses a second. */
const stepMs = 50;

/**
 * Calls `act` after the process could run for `ms` milliseconds. Returns a function that cancels it. On a busy machine
 * a process may be suspended for seconds while data from its peers waits unread. A plain timer would then blame the
 * peer for our own delay. So the time is measured in short steps, and a late step counts only for its length.
 */
export function whenAwakeFor(ms: number, act: () => void): () => void {
  let left = Math.max(0, ms);
  let timer: NodeJS.Timeout;
  const step = (): void => {
    const length = Math.min(left, stepMs);
    timer = setTimeout(() => {
      left -= length;
      if (left > 0) step();
      else act();
    }, length);
  };
  step();
  return () => clearTimeout(timer);
}

/** Sleeps until the process could run for `ms` milliseconds. Rejects with the signal's reason if it aborts first. */
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

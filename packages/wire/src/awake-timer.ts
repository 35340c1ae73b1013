/** Long enough to cost nothing, short enough that a process which cannot run for a second loses a second. */
const stepMs = 50;

/**
 * Acts after so many milliseconds in which this process could run; gives the way to call it off. On a busy machine a
 * process may stand still for seconds, and what its peers sent meanwhile lies unread: "it did not come in time" would then
 * be said of the peer and be true of us. So the time is taken in short steps, and a step that ends late counts for no more
 * than its length.
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

/** Sleeps for so many milliseconds in which this process could run; rejects with the signal's reason when it is aborted first. */
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

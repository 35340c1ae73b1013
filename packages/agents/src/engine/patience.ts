import type { Clock } from "../definition/clock.ts";

/**
 * Waits for a promise, but no longer than this, and returns its result if there is one by then. `atLeast` is
 * the minimum after time scaling.
 */
export async function waitAtMost<T>(
  clock: Clock,
  ms: number,
  done: Promise<T>,
  atLeast = 0,
): Promise<Awaited<T> | undefined> {
  const enough = new AbortController();
  const over = clock.sleep(ms, enough.signal, atLeast).then(
    () => undefined,
    () => undefined,
  );
  const result = await Promise.race([done, over]);
  enough.abort();
  return result;
}

import type { Clock } from "../definition/clock.ts";

/** Waits for what is under way, but no longer than this; gives what came of it by then. `atLeast` bounds what scaling time may take away. */
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

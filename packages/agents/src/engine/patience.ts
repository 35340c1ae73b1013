import type { Clock } from "../clock.ts";

/** Waits for what is under way, but no longer than this. `atLeast` bounds what scaling time may take away. */
export async function waitAtMost(clock: Clock, ms: number, done: Promise<unknown>, atLeast = 0): Promise<void> {
  const enough = new AbortController();
  const over = clock.sleep(ms, enough.signal, atLeast).catch(() => {});
  await Promise.race([done, over]);
  enough.abort();
}

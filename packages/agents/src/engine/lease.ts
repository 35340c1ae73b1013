import type { Clock } from "../definition/clock.ts";

/** Renews what is held for a while at a time, from now until the work is done; then it settles. */
export async function renewUntil(
  done: Promise<unknown>,
  clock: Clock,
  leaseMs: number,
  renew: (until: number) => Promise<unknown>,
): Promise<void> {
  const end = new AbortController();
  const ended = done.finally(() => end.abort());
  const half = leaseMs / 2;
  while (!end.signal.aborted) {
    // However time is scaled: the lease is not.
    await clock.sleep(half, end.signal, half).catch(() => {});
    if (!end.signal.aborted) await renew(clock.now() + leaseMs);
  }
  await ended;
}

import type { Clock } from "../definition/clock.ts";

/** Renews a lease until the work is done. */
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
    // Independent of the time scale, because the lease is not scaled.
    await clock.sleep(half, end.signal, half).catch(() => {});
    if (!end.signal.aborted) await renew(clock.now() + leaseMs);
  }
  await ended;
}

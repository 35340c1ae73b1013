import type { Skill } from "@assay/agents/making";

/**
 * Waits for an event in a skill, up to `mostMs`. Returns true if the event came. A client that has what it came for
 * must not wait for the rest of the time, so no timer remains.
 */
export async function until(
  event: AbortSignal,
  mostMs: number,
  { clock, signal }: Pick<Parameters<Skill["run"]>[0], "clock" | "signal">,
): Promise<boolean> {
  if (!event.aborted) await clock.sleep(mostMs, AbortSignal.any([signal, event])).catch(() => {});
  signal.throwIfAborted();
  return event.aborted;
}

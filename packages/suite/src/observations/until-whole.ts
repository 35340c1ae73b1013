import { Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";

/**
 * Tries until one try shows everything, and returns the one that shows most. A task that is over too soon is bad luck, so it is
 * worth another try, while there are messages for trying again. `wholeness` is 1 for a try that shows everything.
 */
export async function untilWhole<T>(
  target: Pick<Target, "messagesLeft">,
  tries: readonly (() => Promise<T>)[],
  wholeness: (seen: T) => number,
): Promise<T> {
  let best: { readonly seen: T; readonly whole: number } | undefined;
  let obstacle: Obstacle | undefined;
  for (const [index, make] of tries.entries()) {
    if (index > 0 && target.messagesLeft() === 0) break;
    try {
      const seen = await make();
      const whole = wholeness(seen);
      if (!best || whole > best.whole) best = { seen, whole };
      if (whole >= 1) break;
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      obstacle ??= error;
      if (!isWorthAnotherTry(error)) break;
    }
  }
  if (best) return best.seen;
  throw obstacle!;
}

/** The prompt did not bring about what it usually does. */
export const isWorthAnotherTry = ({ kind }: Obstacle): boolean =>
  kind.is === "not-examined" && kind.reason === "prompt";

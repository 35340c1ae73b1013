/** A turn longer than this is long enough to be measured once. */
const longTurnMs = 700;

/**
 * Plays something on several contestants in turns of many short rounds: a busy moment of the machine hits all of them
 * alike, and what counts is the ratio within one round. The first turns warm up and are not counted.
 * A contestant whose turns are long plays only the first round.
 */
export async function inTurns<C, T>(
  contestants: readonly C[],
  { rounds, warmUpMs = 0 }: { rounds: number; warmUpMs?: number },
  play: (contestant: C) => Promise<T>,
): Promise<T[][]> {
  const values: T[][] = contestants.map(() => []);
  const isSlow: boolean[] = [];
  for (const contestant of contestants) {
    const until = performance.now() + warmUpMs;
    let began: number;
    do {
      began = performance.now();
      await play(contestant);
    } while (performance.now() < until);
    isSlow.push(performance.now() - began > longTurnMs);
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Each round begins with another one: none has always the same one before it.
      const index = (round + turn) % contestants.length;
      if (round === 0 || !isSlow[index]) values[index]!.push(await play(contestants[index]!));
    }
  }
  return values;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** How many times better the first is than the second, round by round. `more`: a larger number is better. */
export const ratiosOf = (ours: readonly number[], theirs: readonly number[], more: boolean): number[] =>
  ours.slice(0, theirs.length).map((value, round) => (more ? value / theirs[round]! : theirs[round]! / value));

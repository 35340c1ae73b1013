/** A turn longer than this needs only one measurement. */
const longTurnMs = 700;

/**
 * Measures several contestants in turns of many short rounds. A busy moment of the machine then affects all of them,
 * and only the ratio within one round counts. The first turns warm up and are not counted. A contestant with long turns
 * plays only the first round.
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
      // Each round starts with a different contestant, so none always follows the same one.
      const index = (round + turn) % contestants.length;
      if (round === 0 || !isSlow[index]) values[index]!.push(await play(contestants[index]!));
    }
  }
  return values;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Returns how many times better the first is than the second, round by round. `more`: larger numbers are better. */
export const ratiosOf = (ours: readonly number[], theirs: readonly number[], more: boolean): number[] =>
  ours.slice(0, theirs.length).map((value, round) => (more ? value / theirs[round]! : theirs[round]! / value));

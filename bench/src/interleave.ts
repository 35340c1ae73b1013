/**
 * Plays something on several contestants in turns of many short rounds: a busy moment of the machine hits all of them
 * alike, and what counts is the ratio within one round. The first turns warm up and are not counted.
 */
export async function inTurns<C, T>(
  contestants: readonly C[],
  { rounds, warmUpMs = 0 }: { rounds: number; warmUpMs?: number },
  play: (contestant: C) => Promise<T>,
): Promise<T[][]> {
  const values: T[][] = contestants.map(() => []);
  for (const contestant of contestants) {
    const until = performance.now() + warmUpMs;
    do await play(contestant);
    while (performance.now() < until);
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Each round begins with another one: none has always the same one before it.
      const index = (round + turn) % contestants.length;
      values[index]!.push(await play(contestants[index]!));
    }
  }
  return values;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** How many times better the first is than the second: the median over the rounds. `more`: a larger number is better. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[], more: boolean): number =>
  median(ours.map((value, round) => (more ? value / theirs[round]! : theirs[round]! / value)));

/** The candidate that a typing mistake may have been meant as; none when all are too far away. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let [best, least]: [string | undefined, number] = [undefined, allowed + 1];
  for (const candidate of candidates) {
    const away = distance(wanted, candidate.toLowerCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
}

/** How many letters have to be put in, taken out, exchanged or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > a.length) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + change);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** " Did you mean …?", or nothing. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const guess = nearest(given, candidates);
  return guess === undefined ? "" : ` Did you mean ${guess}?`;
}

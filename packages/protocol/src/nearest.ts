/** Returns the candidate that a typo may have meant, or undefined if all are too different. */
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

/** Counts the insertions, deletions, replacements and swaps of neighbouring letters (edit distance). */
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

/** Returns " Did you mean …?", or an empty string. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const guess = nearest(given, candidates);
  return guess === undefined ? "" : ` Did you mean ${guess}?`;
}

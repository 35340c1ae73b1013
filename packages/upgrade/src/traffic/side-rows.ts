import type { SideRow } from "@assay/viewer/documents";

/** Longer texts are shown without marks, because time and memory grow with the product of both lengths. */
const mostLines = 400;

/**
 * Aligns two texts line by line. Indentation does not count, because a new wrapper moves everything inside it to the
 * right. A comma at the end does not count either.
 */
export function sideRows(today: readonly string[], next: readonly string[]): SideRow[] {
  if (today.length > mostLines || next.length > mostLines)
    return pairs(today, next).map((row) => ({ ...row, isSame: false }));
  const rows: SideRow[] = [];
  const [left, right] = [today.map(meant), next.map(meant)];
  const longest = commonLengths(left, right);
  let [a, b] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (const row of pairs(removed, added)) rows.push({ ...row, isSame: false });
    [removed, added] = [[], []];
  };
  while (a < today.length || b < next.length) {
    if (a < today.length && b < next.length && left[a] === right[b]) {
      flush();
      rows.push({ today: today[a++]!, next: next[b++]!, isSame: true });
    } else if (b >= next.length || (a < today.length && longest[a + 1]![b]! >= longest[a]![b + 1]!))
      removed.push(today[a++]!);
    else added.push(next[b++]!);
  }
  flush();
  return rows;
}

/** Equal lines kept around a difference. */
const context = 3;

/** Replaces long runs of equal lines by their number. */
export function folded(rows: readonly SideRow[]): SideRow[] {
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ isSame }) => !isSame),
  );
  const kept: SideRow[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (end < rows.length && !isNear[end]) end++;
    if (end - start > 1) {
      const text = `(${end - start} equal lines)`;
      kept.push({ today: text, next: text, isSame: true });
    } else kept.push(...rows.slice(start, Math.max(end, start + 1)));
    start = Math.max(end, start + 1);
  }
  return kept;
}

const meant = (line: string): string => line.trim().replace(/,$/, "");

/** The length of the longest common subsequence from each pair of places to the ends. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let a = left.length - 1; a >= 0; a--)
    for (let b = right.length - 1; b >= 0; b--)
      table[a]![b] = left[a] === right[b] ? table[a + 1]![b + 1]! + 1 : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
  return table;
}

const pairs = (today: readonly string[], next: readonly string[]): Omit<SideRow, "isSame">[] =>
  Array.from({ length: Math.max(today.length, next.length) }, (_, n) => ({
    ...(today[n] !== undefined && { today: today[n] }),
    ...(next[n] !== undefined && { next: next[n] }),
  }));

import type { BenchResult, BenchRow, ResultFile } from "./rows.ts";
import { show } from "./table.ts";

/** A row of two results, and how much worse the second one is. */
export interface Change {
  readonly name: string;
  readonly before: BenchRow;
  readonly after: BenchRow;
  /** 0.2 means a fifth worse; a negative number means better */
  readonly loss: number;
  readonly isBeyondNoise: boolean;
}

/** A difference below these is never a regression. A single measurement has no known noise, so it needs more. */
const leastLoss = 0.05;
const leastLossOfOne = 0.2;

/**
 * Compares the rows that both results have and that have a direction. For results of different machines it compares
 * only ratios, because other numbers depend on the machine.
 */
export function changesBetween(before: ResultFile, after: ResultFile): Change[] {
  return after.results.flatMap((now) => {
    const then = before.results.find(({ subject }) => subject === now.subject);
    if (then === undefined) return [];
    const known = new Map(then.rows.map((row) => [keyOf(row), row]));
    return now.rows.flatMap((row) => {
      const old = known.get(keyOf(row));
      if (old === undefined || row.better === "neither" || old.unit !== row.unit || old.value === 0) return [];
      return isSameMachine(then, now) || row.unit === "ratio" ? [changeOf(now.subject, old, row)] : [];
    });
  });
}

const keyOf = ({ table, name, column }: BenchRow): string => [table, name, column].join("\n");

export const isSameMachine = ({ machine: a }: BenchResult, { machine: b }: BenchResult): boolean =>
  a.cores === b.cores && a.model === b.model;

function changeOf(subject: string, before: BenchRow, after: BenchRow): Change {
  const worse = after.better === "higher" ? before.value - after.value : after.value - before.value;
  // Lower is better: if a time doubles, half of the speed is lost.
  const loss = worse / (after.better === "higher" ? before.value : after.value);
  const isMeasuredOnce = before.spread === null || after.spread === null;
  const noise = 1.5 * ((before.spread ?? 0) + (after.spread ?? 0));
  return {
    name: [subject, after.table, after.name, after.column].join(" · "),
    before,
    after,
    loss,
    isBeyondNoise: worse > noise && loss > (isMeasuredOnce ? leastLossOfOne : leastLoss),
  };
}

/** Describes a change in one line: the row, both values with their spread, and the loss. */
export function lineOf({ name, before, after, loss, isBeyondNoise }: Change): string {
  const told = ({ value, spread }: BenchRow): string =>
    spread === null ? show(value) : `${show(value)} ± ${show(spread)}`;
  const unit = after.unit === "ratio" ? "" : ` ${after.unit}`;
  const percent = `${Math.abs(Math.round(loss * 100))} % ${loss > 0 ? "worse" : "better"}`;
  return `${name}: ${told(before)} → ${told(after)}${unit}, ${percent}${isBeyondNoise ? "" : " (within noise)"}`;
}

import { appendFileSync } from "node:fs";
import type { BenchRow, Cell } from "./rows.ts";
import { tableOf } from "./table.ts";

/** Prints a table, and hands its rows to `npm run bench`, which writes them as JSON. */
export function report(table: string, cells: readonly Cell[]): void {
  process.stdout.write(`\n${table}\n\n${tableOf(cells)}`);
  const file = process.env["BENCH_ROWS"];
  if (file === undefined) return;
  const rows = cells.map((cell): BenchRow => ({ table, ...cell }));
  appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Prints the current measurement to stderr. */
export const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);

/** Chooses how much to measure: `npm run bench` sets BENCH_SIZE for `--short` and `--long`. */
export const sized = <T>(sizes: { readonly short: T; readonly standard: T; readonly long: T }): T =>
  sizes[(process.env["BENCH_SIZE"] ?? "standard") as keyof typeof sizes];

import { median } from "../interleave.ts";

/** One number of a benchmark: a cell in one of its tables. */
export interface BenchRow {
  readonly table: string;
  /** the row in the table */
  readonly name: string;
  readonly column: string;
  /** `ratio` compares two measurements of the same round, and means the same on every machine */
  readonly unit: string;
  readonly value: number;
  /** half the interquartile range, in the same unit; null for a single measurement */
  readonly spread: number | null;
  /** `neither` for rows without a goal, such as another server or a number of messages */
  readonly better: "higher" | "lower" | "neither";
}

/** A row without the table that shows it. */
export type Cell = Omit<BenchRow, "table">;

/** The rows of one subject, and where they come from. Contains no host name and no path. */
export interface BenchResult {
  readonly subject: string;
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly node: string;
  readonly machine: { readonly cores: number; readonly model: string };
  readonly rows: readonly BenchRow[];
}

/** The file that `--json` writes, and docs/performance.json. */
export interface ResultFile {
  readonly version: 1;
  readonly results: readonly BenchResult[];
}

/** Makes a cell of several measurements of the same thing. */
export function cellOf(about: Omit<Cell, "value" | "spread">, samples: readonly number[]): Cell {
  const spread = samples.length > 1 ? rounded((quantile(samples, 0.75) - quantile(samples, 0.25)) / 2) : null;
  return { ...about, value: rounded(median(samples)), spread };
}

function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}

/** Rounds to four digits: more are noise, and would change in every file. */
const rounded = (value: number): number => Number(value.toPrecision(4));

/** Reads a result file; throws if it is anything else. */
export function readResults(text: string, file: string): ResultFile {
  const read = JSON.parse(text) as Partial<ResultFile> | null;
  if (read?.version !== 1 || !Array.isArray(read.results))
    throw new Error(`${file} is not a result of npm run bench (version 1). Write one: npm run bench -- --json ${file}`);
  return { version: 1, results: read.results };
}

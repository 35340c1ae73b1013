import { percentile } from "../latency.ts";

export interface LatencyRow {
  readonly operation: string;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/** Collects the durations of each operation, in milliseconds. */
export class LatencyTable {
  readonly #values = new Map<string, number[]>();

  add(operation: string, ms: number): void {
    const values = this.#values.get(operation);
    if (values) values.push(ms);
    else this.#values.set(operation, [ms]);
  }

  /** Discards all measurements so far. */
  clear(): void {
    this.#values.clear();
  }

  get rows(): LatencyRow[] {
    return [...this.#values]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([operation, values]) => rowOf(operation, values));
  }

  /** The latency of all operations together. */
  get all(): LatencyRow {
    return rowOf("all", [...this.#values.values()].flat());
  }
}

function rowOf(operation: string, values: readonly number[]): LatencyRow {
  const at = (percent: number): number => (values.length ? percentile(values, percent) : Number.NaN);
  return { operation, count: values.length, p50: at(50), p99: at(99), worst: at(100) };
}

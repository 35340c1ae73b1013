import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { progress, report, sized } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";
import { sdkPostgres } from "./servers/sdk-postgres-dialect.ts";
import { sdkSqlite } from "./servers/sdk-sqlite-dialect.ts";
import type { GrownStore } from "./store-growth/grown-store.ts";
import { sdkStore } from "./store-growth/sdk-store.ts";
import { testbedStore } from "./store-growth/testbed-store.ts";

/**
 * Measures reads from stores with many tasks, and compares them with the SDK's SQL store. Prints one table per store
 * and size.
 */
const defaultSizes = sized({ short: "1000", standard: "1000,100000", long: "1000,100000,1000000" });
const { values: flags } = parseArgs({
  options: { sizes: { type: "string", default: defaultSizes }, only: { type: "string", default: "" } },
});
const sizes = flags.sizes.split(",").map(Number);
/** Limits of the samples of one number: fewer if each takes long. */
const [mostSamples, mostMs] = [101, 500];

async function measured(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  // The first requests compile code and fill caches.
  for (let warm = 0; warm < 3; warm++) await ask();
  const until = performance.now() + mostMs;
  while (times.length < mostSamples && (times.length < 5 || performance.now() < until)) {
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  return times;
}

async function grow(store: string, open: () => Promise<GrownStore>, better: Cell["better"]): Promise<void> {
  const grown = await open();
  const cells: Cell[] = [];
  for (const size of sizes) {
    const column = `${size.toLocaleString("en")} tasks`;
    const began = performance.now();
    await grown.grow(size);
    progress(`${store}, ${column}, filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    for (const [name, ask] of Object.entries(grown.questions)) {
      const cell = cellOf({ name, column, unit: "ms", better }, await measured(ask));
      progress(`  ${name}: ${cell.value} ms`);
      cells.push(cell);
    }
  }
  await grown.close();
  report(`${store}, by size`, cells);
}

const folder = mkdtempSync(join(tmpdir(), "assay-growth-"));
const postgres = process.env["BENCH_POSTGRES"];
const stores: Readonly<Record<string, [() => Promise<GrownStore>, Cell["better"]]>> = {
  SQLite: [() => testbedStore(`sqlite:${join(folder, "tasks.db")}`), "lower"],
  ...(postgres && { PostgreSQL: [() => testbedStore(postgres), "lower"] }),
  "SDK, SQLite": [() => sdkStore("sqlite", sdkSqlite()), "neither"],
  ...(postgres && { "SDK, PostgreSQL": [() => sdkStore("postgres", sdkPostgres()), "neither"] }),
};
try {
  for (const [store, [open, better]] of Object.entries(stores))
    if (store.toLowerCase().includes(flags.only.toLowerCase())) await grow(store, open, better);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

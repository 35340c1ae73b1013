import { parseArgs } from "node:util";
import { sized } from "./results/report.ts";
import { storeRows } from "./server-rows.ts";
import { compare, type Servers } from "./side-by-side.ts";

/** Assay on each of its stores, and the SDK on its own stores of the same kinds. */
const servers: Servers = {
  SQLite: { script: "ours-sqlite", isOurs: true },
  "SDK, SQLite": { script: "sdk-sqlite" },
  ...(process.env["BENCH_POSTGRES"] && {
    PostgreSQL: { script: "ours-postgres", isOurs: true },
    "SDK, PostgreSQL": { script: "sdk-postgres" },
  }),
  "SDK, memory": { script: "sdk" },
  memory: { script: "ours", isOurs: true },
};

const { values: flags } = parseArgs({ options: { only: { type: "string", default: "" } } });
const effort = sized({
  short: { starts: 1, rounds: 2, sliceMs: 150 },
  standard: { starts: 1, rounds: 3, sliceMs: 250 },
  long: { starts: 3, rounds: 8, sliceMs: 250 },
});
const rows = storeRows.filter(({ title }) => title.toLowerCase().includes(flags.only.toLowerCase()));
await compare("Requests and streams on each store", servers, rows, effort);

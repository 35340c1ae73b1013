import { parseArgs } from "node:util";
import { launch } from "./contestant.ts";
import { latencies, percentile } from "./latency.ts";
import { bytesOf } from "./load.ts";
import { pacedLatencies } from "./paced-load.ts";
import { progress, report, sized } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";
import { message, rpc } from "./server-rows.ts";

/**
 * Measures the latency of SendMessage, which waits for the disk four times: with one request at a time, and with 100
 * per second at a fixed rate. `--only <text>` selects the stores whose name contains the text.
 */
const { values: flags } = parseArgs({ options: { only: { type: "string", default: "" } } });
const perSecond = 100;
const seconds = sized({ short: 2, standard: 4, long: 60 });
const request = bytesOf(rpc("SendMessage", message("task-lifecycle hello")));

const servers: Readonly<Record<string, string>> = {
  SQLite: "ours-sqlite",
  "SDK, SQLite": "sdk-sqlite",
  ...(process.env["BENCH_POSTGRES"] && { PostgreSQL: "ours-postgres", "SDK, PostgreSQL": "sdk-postgres" }),
  memory: "ours",
};

async function waits(column: string, script: string): Promise<Cell[]> {
  const server = await launch(script);
  try {
    // Compile the server's code, and open its connections to the database.
    await pacedLatencies(server.url, request, perSecond, 2 * perSecond);
    const loads = {
      "one at a time": await latencies(server.url, request, perSecond, 0),
      [`${perSecond} a second`]: await pacedLatencies(server.url, request, perSecond, seconds * perSecond),
    };
    const better = script.startsWith("ours") ? "lower" : "neither";
    return Object.entries(loads).flatMap(([load, times]) =>
      [50, 99].map((percent) =>
        cellOf({ name: `${load}, p${percent}`, column, unit: "ms", better }, [percentile(times, percent)]),
      ),
    );
  } finally {
    await server.stop();
  }
}

const cells: Cell[] = [];
for (const [name, script] of Object.entries(servers)) {
  if (!name.toLowerCase().includes(flags.only.toLowerCase())) continue;
  const ofOne = await waits(name, script);
  progress(`${name}: ${ofOne.map((cell) => `${cell.name} ${cell.value} ms`).join(", ")}`);
  cells.push(...ofOne);
}
report("SendMessage on each store", cells);

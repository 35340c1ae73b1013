import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { loadReporters } from "@assay/reporters";
import { foldRun, type RunEvent, type SpanKind, spans } from "@assay/suite/report";
import { progress, report, sized } from "./results/report.ts";
import { cellOf } from "./results/rows.ts";
import { bedAgent, fromRoot } from "./running-agents.ts";
import { measuredAgents } from "./suite-agents.ts";

const reporters = await loadReporters();

/**
 * Measures conformance runs: time, messages and memory, and where the time goes. Each run gets a freshly started agent
 * in a separate process. Rounds are interleaved: each one measures every agent once. Also measures the rendering of a
 * large report. Arguments select agents by the beginnings of their names. BENCH_ROUNDS is the number of rounds.
 * BENCH_SCHEDULES names a folder for the schedule of each agent's last run.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? sized({ short: 1, standard: 1, long: 3 }));
const schedules = process.env["BENCH_SCHEDULES"];
const chosen = process.argv.slice(2).map((name) => name.toLowerCase());
const measured = fromRoot("bench/dist/suite-run.js");
const assay = fromRoot("packages/cli/bin/assay.js");

interface Cost {
  readonly seconds: number;
  readonly messages: number;
  readonly exchanges: number;
  readonly megabytes: number;
  readonly processor: number;
  readonly examined: number;
  readonly applicable: number;
  readonly failed: number;
  readonly spent: Readonly<Record<SpanKind | "own", number>>;
}

function costOf(url: string, depth: string, options: object, schedule: string | undefined): Cost {
  const args = [measured, url, depth, ...(schedule === undefined ? [] : [schedule])];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, BENCH_OPTIONS: JSON.stringify(options) },
  });
  if (status !== 0) throw new Error(`the run ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Cost;
}

interface Row {
  readonly name: string;
  readonly depth: string;
  readonly costs: Cost[];
}

const agents = measuredAgents.filter(({ name, from }) =>
  chosen.length === 0
    ? sized({ short: ["short"], standard: ["short", "standard"], long: ["short", "standard", "long"] }).includes(from)
    : chosen.some((beginning) => name.toLowerCase().startsWith(beginning)),
);
const rows = agents.flatMap(({ name, depths }) => depths.map((depth): Row => ({ name, depth, costs: [] })));
if (schedules !== undefined) mkdirSync(schedules, { recursive: true });
for (let round = 0; round < rounds; round++) {
  for (const { name, depths, options = {}, start } of agents) {
    for (const depth of depths) {
      progress(`${name}, ${depth}, round ${round + 1} of ${rounds}`);
      const agent = await start();
      try {
        const file = schedules && `${schedules}/${name.replaceAll(/\W+/g, "-")}-${depth}.svg`;
        rows
          .find((row) => row.name === name && row.depth === depth)!
          .costs.push(costOf(agent.url, depth, options, file));
      } finally {
        agent.close();
      }
    }
  }
}

const columns = {
  "wall time": { of: "seconds", unit: "s", better: "lower" },
  "our processor": { of: "processor", unit: "s", better: "lower" },
  messages: { of: "messages", unit: "", better: "neither" },
  exchanges: { of: "exchanges", unit: "", better: "neither" },
  "peak memory": { of: "megabytes", unit: "MB", better: "lower" },
  examined: { of: "examined", unit: "", better: "higher" },
  "rules that apply": { of: "applicable", unit: "", better: "neither" },
  failed: { of: "failed", unit: "", better: "neither" },
} as const;
report(
  "Runs",
  rows.flatMap(({ name, depth, costs }) =>
    Object.entries(columns).map(([column, { of, unit, better }]) => {
      const samples = costs.map((cost) => cost[of]);
      return cellOf({ name: `${name}, ${depth}`, column, unit, better }, samples);
    }),
  ),
);
report(
  "Where the time of a run went: each moment counts for the first of these that goes on",
  rows.flatMap(({ name, depth, costs }) =>
    ([...spans, "own"] as const).map((column) => {
      const samples = costs.map(({ spent }) => spent[column] / 1000);
      return cellOf({ name: `${name}, ${depth}`, column, unit: "s", better: "neither" }, samples);
    }),
  ),
);

if (chosen.length === 0) {
  progress("the start of the command line");
  const started = (...args: string[]) => repeated(20, () => void spawnSync(process.execPath, args));
  const time = { column: "time", unit: "ms" } as const;
  report("Start of the command line", [
    cellOf({ name: "`assay --version`", ...time, better: "lower" }, started(assay, "--version")),
    cellOf({ name: "`node -e 0`", ...time, better: "neither" }, started("-e", "0")),
  ]);
  await measureRendering();
}

/** Returns the times of repeated work in milliseconds. */
function repeated(count: number, work: () => void): number[] {
  return Array.from({ length: count }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
}

async function measureRendering(): Promise<void> {
  progress("rendering reports");
  const bed = await bedAgent("full", 0.05);
  const recorded = spawnSync(process.execPath, [measured, bed.url, "full", "--events"], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  bed.close();
  const events = recorded.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
  const results = events.filter((event) => event.event === "check-finished");
  const others = events.filter((event) => event.event !== "check-finished");
  const large = [...others, ...Array.from({ length: 2_000 }, (_, index) => results[index % results.length]!)];
  const run = { events: large, report: foldRun(large) };
  report(
    "Rendering a run of 2,000 results",
    Object.entries(reporters).map(([name, render]) =>
      cellOf(
        { name, column: "time", unit: "ms", better: "lower" },
        repeated(5, () => void render(run)),
      ),
    ),
  );
}

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { loadReporters } from "@assay/reporters";
import { foldRun, type RunEvent, type SpanKind, spans } from "@assay/suite/report";
import { bedAgent, fromRoot } from "./running-agents.ts";
import { measuredAgents } from "./suite-agents.ts";

const reporters = await loadReporters();

/**
 * What a conformance run costs: time, messages, memory, and what the time went on; on agents in processes of their own, which
 * are started afresh for each run. The rounds are interleaved: each measures every agent once. And what it takes to render
 * the report of a large run. Arguments choose agents by the beginnings of their names; BENCH_SCHEDULES names a folder
 * into which the schedule of each last run is drawn.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const schedules = process.env["BENCH_SCHEDULES"];
const chosen = process.argv.slice(2).map((name) => name.toLowerCase());
const measured = fromRoot("bench/dist/suite-run.js");
const assay = fromRoot("packages/cli/bin/assay.js");

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const write = (text: string): void => void process.stdout.write(`${text}\n`);

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

function costOf(url: string, depth: string, schedule: string | undefined): Cost {
  const args = [measured, url, depth, ...(schedule === undefined ? [] : [schedule])];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the run ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Cost;
}

interface Row {
  readonly name: string;
  readonly depth: string;
  readonly costs: Cost[];
}

const agents = measuredAgents.filter(
  ({ name }) => chosen.length === 0 || chosen.some((beginning) => name.toLowerCase().startsWith(beginning)),
);
const rows = agents.flatMap(({ name, depths }) => depths.map((depth): Row => ({ name, depth, costs: [] })));
if (schedules !== undefined) mkdirSync(schedules, { recursive: true });
for (let round = 0; round < rounds; round++) {
  for (const { name, depths, start } of agents) {
    for (const depth of depths) {
      const agent = await start();
      try {
        const file = schedules && `${schedules}/${name.replaceAll(/\W+/g, "-")}-${depth}.svg`;
        rows.find((row) => row.name === name && row.depth === depth)!.costs.push(costOf(agent.url, depth, file));
        process.stderr.write(`  round ${round + 1}: ${name}, ${depth}\n`);
      } finally {
        agent.close();
      }
    }
  }
}

const [load] = loadavg();
write(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load ${load!.toFixed(1)}; medians of ${rounds}\n`,
);
write("| agent | depth | wall time | our processor | messages | exchanges | peak memory | examined |");
write("|---|---|--:|--:|--:|--:|--:|--:|");
for (const { name, depth, costs } of rows) {
  const of = (member: Exclude<keyof Cost, "spent">): number => median(costs.map((cost) => cost[member]));
  const failed = of("failed") ? `, ${of("failed")} failed` : "";
  write(
    `| ${name} | ${depth} | ${of("seconds").toFixed(2)} s | ${of("processor").toFixed(1)} s | ${of("messages")} | ${of("exchanges")} | ${Math.round(of("megabytes"))} MB | ${of("examined")} of ${of("applicable")}${failed} |`,
  );
}

write("\nWhere the time went, in seconds: each moment counts for the first of these that goes on.\n");
const columns = [...spans, "own"] as const;
write(`| agent | depth | ${columns.join(" | ")} |`);
write(`|---|---|${columns.map(() => "--:|").join("")}`);
for (const { name, depth, costs } of rows) {
  const cells = columns.map((kind) => (median(costs.map(({ spent }) => spent[kind])) / 1000).toFixed(2));
  write(`| ${name} | ${depth} | ${cells.join(" | ")} |`);
}

if (chosen.length === 0) {
  const times = Array.from({ length: 10 }, () => {
    const startedAt = performance.now();
    spawnSync(process.execPath, [assay, "--version"]);
    return performance.now() - startedAt;
  });
  write(`\n\`assay --version\`: ${Math.round(median(times))} ms`);
  await tellRendering();
}

async function tellRendering(): Promise<void> {
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
  write(`\nRendering a run of 2,000 results and ${others.length} other events:`);
  const report = foldRun(large);
  for (const [format, render] of Object.entries(reporters)) {
    const spent = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      render({ events: large, report });
      return performance.now() - startedAt;
    });
    write(`- ${format}: ${Math.round(median(spent))} ms`);
  }
}

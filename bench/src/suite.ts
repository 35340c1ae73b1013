import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { reporters } from "@assay/reporters";
import { depths, foldRun, type RunEvent } from "@assay/suite/report";

/**
 * What a conformance run costs: time, messages, memory; at every depth, on the agents of the
 * test bed in a process of their own, which are tested with the settings that any agent gets: our own is spared less. And
 * what it takes to render the report of a large run.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const assay = fileURLToPath(new URL("../../packages/cli/bin/assay.js", import.meta.url));
const measured = fileURLToPath(new URL("./suite-run.js", import.meta.url));
const asAnyAgent = fileURLToPath(new URL("./as-any-agent.js", import.meta.url));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const write = (text: string): void => void process.stdout.write(`${text}\n`);

/** A server in a process of its own, and the first line that it says. */
async function started(...args: string[]): Promise<{ ready: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ready = await new Promise<string>((resolve) =>
    child.stdout.once("data", (line: Buffer) => resolve(String(line))),
  );
  return { ready, child };
}

interface Served {
  readonly url: string;
  /** the same, not to be known as ours */
  readonly anonymous: string;
  close(): void;
}

async function serve(timeScale: number): Promise<Served> {
  const bed = await started(assay, "serve", "--port", "0", "--json", "--time-scale", String(timeScale));
  const { url } = JSON.parse(bed.ready) as { url: string };
  const front = await started(asAnyAgent, new URL(url).port);
  return {
    url,
    anonymous: `http://127.0.0.1:${front.ready.trim()}`,
    close() {
      bed.child.kill();
      front.child.kill();
    },
  };
}

interface Cost {
  readonly seconds: number;
  readonly messages: number;
  readonly exchanges: number;
  readonly megabytes: number;
  readonly examined: number;
  readonly applicable: number;
  readonly failed: number;
}

function costOf(url: string, depth: string): Cost {
  const { stdout, stderr, status } = spawnSync(process.execPath, [measured, url, depth], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the run ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Cost;
}

write(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}; medians of ${rounds}\n`,
);
/** Writes what a run costs as a row. */
function writeRow(name: string, depth: string, url: string): void {
  const costs = Array.from({ length: rounds }, () => costOf(url, depth));
  const of = (member: keyof Cost): number => median(costs.map((cost) => cost[member]));
  const failed = of("failed") ? `, ${of("failed")} FAILED` : "";
  write(
    `| ${name} | ${depth} | ${of("seconds").toFixed(2)} s | ${of("messages")} | ${of("exchanges")} | ${Math.round(of("megabytes"))} MB | ${of("examined")} of ${of("applicable")}${failed} |`,
  );
}

write("With the settings that any agent gets, unless it says otherwise; our own test bed is asked more at a time.\n");
write("| agent, three bindings | depth | wall time | messages | exchanges | peak memory | examined |");
write("|---|---|--:|--:|--:|--:|--:|");
for (const timeScale of [1, 0.05]) {
  const served = await serve(timeScale);
  for (const agent of ["spec", "full"]) {
    const name = `/${agent}${timeScale === 1 ? "" : `, delays × ${timeScale}`}`;
    for (const depth of depths) writeRow(name, depth, `${served.anonymous}/${agent}`);
    writeRow(`${name}, as our own test bed`, "full", `${served.url}/${agent}`);
  }
  served.close();
}

const times = Array.from({ length: 10 }, () => {
  const startedAt = performance.now();
  spawnSync(process.execPath, [assay, "--version"]);
  return performance.now() - startedAt;
});
write(`\n\`assay --version\`: ${Math.round(median(times))} ms`);

const last = await serve(0.05);
const recorded = spawnSync(process.execPath, [measured, `${last.url}/full`, "full", "--events"], {
  encoding: "utf8",
  maxBuffer: 2 ** 30,
});
last.close();
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

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type FleetJob, openLedger, openQueue } from "@assay/fleet";
import { progress, report, sized } from "../results/report.ts";
import { type Cell, cellOf } from "../results/rows.ts";
import { type Crossed, startCountedWay } from "./counted-way.ts";
import { costOfTree } from "./process-cost.ts";
import { operationWord, postgresServer, redisServer } from "./queue-server.ts";

/**
 * Measures the cost of examinations: agents per minute with one and with several workers, and the resources for one
 * agent. The agents are in a test bed on this machine, tested at depth free without messages. So the processor is the
 * limit, not the network.
 */
const { values: flags } = parseArgs({
  options: {
    agents: { type: "string", default: sized({ short: "12", standard: "24", long: "60" }) },
    workers: { type: "string", default: sized({ short: "1", standard: "1,4", long: "1,2,4" }) },
    concurrency: { type: "string", default: "2" },
  },
});
const count = Number(flags.agents);
const cli = fileURLToPath(new URL("../../../packages/cli/bin/assay.js", import.meta.url));

/** The mix of agents in a listing: a quarter works, the others fail in ways that show at once. */
const working = ["spec", "minimal", "full", "echo", "strict"];
const failing = [
  "card-404",
  "website",
  "card-401",
  "cut-card",
  "no-interfaces",
  "endpoint-404",
  "endpoint-html",
  "endpoint-401",
  "mcp-server",
];
const lists = {
  "a listing: a quarter works": (n: number): string =>
    n % 4 === 0 ? working[(n / 4) % working.length]! : `gallery/${failing[n % failing.length]}`,
  "only agents that work": (n: number): string => working[n % working.length]!,
};

interface Sweep {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly mostMiB: number;
  readonly queueOperations: number;
  readonly ledgerTransactions: number;
  readonly ledgerBytes: number;
  readonly crossed: Crossed;
}

const postgres = postgresServer(process.env["BENCH_POSTGRES"]!);
const redis = process.env["BENCH_REDIS"];
const engine = redis ? redisServer(redis) : postgres;

function started(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [cli, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
}

const firstLine = async (child: ChildProcess): Promise<unknown> => {
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  return JSON.parse(line);
};

async function swept(pathOf: (n: number) => string, workers: number): Promise<Sweep> {
  const [queueAddress, historyAddress] = [await engine.newQueue(), await postgres.newQueue()];
  const [queue, ledger] = [await openQueue(queueAddress), await openLedger(historyAddress)];
  const { url, leadTo, crossed, close } = await startCountedWay();
  const bed = started(["serve", "--port", "0", "--json", "--public-url", url]);
  const { port } = (await firstLine(bed)) as { readonly port: number };
  leadTo(port);
  const sweep = "bench";
  const jobs = Array.from({ length: count }, (_, n): FleetJob => {
    const address = `${url}/${pathOf(n)}`;
    return { sweep, agent: { name: `${n} ${address}`, url: address, labels: [], depth: "free", mayMessage: false } };
  });
  await ledger.begin({ sweep, fleet: "bench", startedAt: new Date().toISOString(), agents: count });
  const [operations, transactions, bytes] = [
    await engine.operations(queueAddress),
    await postgres.operations(historyAddress),
    await postgres.bytes(historyAddress),
  ];
  await ledger.plan(sweep, jobs);
  await queue.add(jobs.map(({ agent }) => ({ sweep, agent: agent.name })));
  const shared = ["--queue", "env:BENCH_QUEUE", "--history", "env:BENCH_HISTORY", "--json", "--allow-private"];
  const env = { BENCH_QUEUE: queueAddress, BENCH_HISTORY: historyAddress };
  const polite = ["--host-concurrency", "1000", "--host-rate", "1000", "--concurrency", flags.concurrency];
  const crew = Array.from({ length: workers }, () => started(["worker", ...shared, ...polite], env));
  let [ready, verdicts] = [0, 0];
  for (const worker of crew)
    createInterface(worker.stdout!).on("line", (line) => {
      const { event } = JSON.parse(line) as { readonly event: string };
      if (event === "ready") ready++;
      if (event === "verdict") verdicts++;
    });
  while (ready < workers) await pause(20);
  const costs = () => crew.map(({ pid }) => costOfTree(pid!));
  const cpuOf = (all: ReturnType<typeof costs>) => all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const atStart = cpuOf(costs());
  const began = performance.now();
  let mostMiB = 0;
  while (verdicts < count) {
    mostMiB = Math.max(mostMiB, ...costs().map((cost) => cost.mostMiB));
    await pause(100);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = cpuOf(costs()) - atStart;
  const result: Sweep = {
    seconds,
    cpuSeconds,
    mostMiB,
    queueOperations: (await engine.operations(queueAddress)) - operations,
    ledgerTransactions: (await postgres.operations(historyAddress)) - transactions,
    ledgerBytes: (await postgres.bytes(historyAddress)) - bytes,
    crossed: { ...crossed },
  };
  for (const child of [...crew, bed]) child.kill("SIGTERM");
  await Promise.all([...crew, bed].map((child) => once(child, "close")));
  close();
  await queue.close();
  await ledger.close();
  return result;
}

const throughput: Cell[] = [];
const costs: Cell[] = [];
for (const [title, pathOf] of Object.entries(lists)) {
  let last: Sweep | undefined;
  for (const workers of flags.workers.split(",").map(Number)) {
    progress(`${title}: ${count} agents, the queue on ${engine.name}, workers: ${workers}`);
    last = await swept(pathOf, workers);
    const name = `${title}, ${workers} ${workers === 1 ? "worker" : "workers"}`;
    throughput.push(
      cellOf({ name, column: "agents a minute", unit: "", better: "higher" }, [(count / last.seconds) * 60]),
      cellOf({ name, column: "processor of an agent", unit: "s", better: "lower" }, [last.cpuSeconds / count]),
    );
  }
  costs.push(...costsOf(title, last!));
}
report("Agents a minute", throughput);
report("Cost of one agent", costs);

function costsOf(name: string, { crossed, ...sweep }: Sweep): Cell[] {
  const columns: [string, string, number][] = [
    ["processor", "s", sweep.cpuSeconds / count],
    ["peak memory", "MiB", sweep.mostMiB],
    ["requests", "", crossed.requests / count],
    ["sent", "bytes", crossed.bytesOut / count],
    ["received", "bytes", crossed.bytesIn / count],
    ["queue", operationWord[engine.name as keyof typeof operationWord], sweep.queueOperations / count],
    ["ledger", "transactions", sweep.ledgerTransactions / count],
    ["ledger on disk", "bytes", sweep.ledgerBytes / count],
  ];
  return columns.map(([column, unit, value]) => cellOf({ name, column, unit, better: "lower" }, [value]));
}

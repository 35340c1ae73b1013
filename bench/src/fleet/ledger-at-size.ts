import { parseArgs } from "node:util";
import { startTestbed } from "@assay/agents";
import { type Examination, type FleetVerdict, openLedger } from "@assay/fleet";
import { examine } from "@assay/fleet/examine";
import { createEgressGuard } from "@assay/wire";
import { progress, report, sized } from "../results/report.ts";
import { type Cell, cellOf } from "../results/rows.ts";
import { postgresServer } from "./queue-server.ts";

/**
 * Measures the real ledger at the size of a registry, in PostgreSQL. Some of the verdicts have a report. Shows the disk
 * space of a verdict, the verdicts saved per second, and the time of a progress query.
 */
const { values: flags } = parseArgs({
  options: {
    verdicts: { type: "string", default: sized({ short: "1000", standard: "2000", long: "10000,100000" }) },
    /** the share of agents with a report, because they were examined completely */
    reports: { type: "string", default: "0.25" },
    "at-once": { type: "string", default: "16" },
  },
});
const share = Number(flags.reports);
const atOnce = Number(flags["at-once"]);

/** Examines a working agent, and returns its examination for use with other agents. */
async function sampled(): Promise<Examination> {
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0 });
  const url = `${bed.url}/spec`;
  const agent = { name: url, url, labels: [], depth: "free", mayMessage: false } as const;
  const connection = { guard: createEgressGuard({ allowLoopback: true }) };
  const examination = await examine({ sweep: "s", agent }, { url, run: "r", version: "bench", connection });
  await bed.close(0);
  return examination;
}

const timed = async <T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> => {
  const began = performance.now();
  const result = await work();
  return { seconds: (performance.now() - began) / 1_000, result };
};

const server = postgresServer(process.env["BENCH_POSTGRES"]!);
const { report: sample, reason } = await sampled();

async function row(size: number, withReports: number): Promise<Cell[]> {
  const address = await server.newQueue();
  const ledger = await openLedger(address);
  const sweep = "2026-11-16-0100";
  await ledger.begin({ sweep, fleet: "registry", startedAt: new Date().toISOString(), agents: size });
  const before = await server.bytes(address);
  const settle = async (n: number): Promise<void> => {
    const agent = `agent-${n}.agents.example.com`;
    const hasReport = sample !== undefined && n % 100 < withReports * 100;
    const verdict: FleetVerdict = {
      ...{ sweep, agent, url: `https://${agent}/a2a/v1`, labels: ["public", "listed"] },
      ...{ class: hasReport ? "working" : "endpoint-missing", reason, attempts: 1, worker: "worker-1:4711" },
      ...{ at: new Date().toISOString(), duration_ms: 4_000, cardDigest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b" },
      ...(hasReport && { run: `run-${n}`, outcome: "conformant", level: null, examined: { rules: 90, of: 200 } }),
    };
    await ledger.settle(verdict, hasReport ? { ...sample, run: `run-${n}` } : undefined);
  };
  const settling = await timed(async () => {
    for (let at = 0; at < size; at += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, size - at) }, (_, index) => settle(at + index)));
  });
  const bytes = (await server.bytes(address)) - before;
  const names = Array.from({ length: size }, (_, n) => `agent-${n}.agents.example.com`);
  const settled = await timed(() => ledger.settled(sweep));
  const unsettled = await timed(() => ledger.unsettled(sweep, names));
  const latest = await timed(() => ledger.latest("registry"));
  const heap = process.memoryUsage().heapUsed / 1e6;
  if (settled.result !== size || unsettled.result.length > 0 || latest.result.length !== size)
    throw new Error("the ledger has lost verdicts");
  await ledger.close();
  const columns: [string, string, "higher" | "lower", number][] = [
    ["settled a second", "", "higher", size / settling.seconds],
    ["size of a verdict", "bytes", "lower", bytes / size],
    ["count the settled", "ms", "lower", settled.seconds * 1_000],
    ["find the others", "ms", "lower", unsettled.seconds * 1_000],
    ["read the newest of each", "ms", "lower", latest.seconds * 1_000],
    ["heap then", "MB", "lower", heap],
  ];
  const name = `${size.toLocaleString("en")} verdicts, ${Math.round(withReports * 100)} % with a report`;
  return columns.map(([column, unit, better, value]) => cellOf({ name, column, unit, better }, [value]));
}

const cells: Cell[] = [];
for (const size of flags.verdicts.split(",").map(Number))
  for (const part of [0, share]) {
    progress(`the ledger: ${size.toLocaleString("en")} verdicts`);
    cells.push(...(await row(size, part)));
  }
report(`The ledger at size, in PostgreSQL, ${atOnce} verdicts at a time`, cells);

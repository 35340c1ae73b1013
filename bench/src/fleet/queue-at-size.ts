import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openQueue, type QueuedJob } from "@assay/fleet";
import { progress, report, sized } from "../results/report.ts";
import { type Cell, cellOf } from "../results/rows.ts";
import { operationWord, postgresServer, type QueueServer, redisServer } from "./queue-server.ts";

/**
 * Measures the real queue at the size of a registry: adds jobs, then takes them with workers that do no work. Shows the
 * load that the queue's server can carry, and the cost of a job there.
 */
const { values: flags } = parseArgs({
  options: {
    jobs: { type: "string", default: sized({ short: "1000", standard: "5000", long: "10000,100000" }) },
    workers: { type: "string", default: "2" },
    "put-off": { type: "boolean", default: false },
  },
});
const sizes = flags.jobs.split(",").map(Number);
const workers = Number(flags.workers);
const addedAtOnce = 5_000;

/** Returns a job as the queue stores it: two names. */
const jobOf = (n: number): QueuedJob => ({
  sweep: "sweep-20261116-010000-a1b2c3",
  agent: `https://agent-${n}.agents.example.com/a2a/v1`,
});

interface Drained {
  readonly jobs: number;
  readonly lastAt: number;
  readonly cpuSeconds: number;
}

async function drained(address: string): Promise<Drained> {
  const args = [fileURLToPath(new URL("drain.js", import.meta.url)), ...(flags["put-off"] ? ["--put-off"] : [])];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BENCH_QUEUE: address },
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return JSON.parse(line) as Drained;
}

async function row(server: QueueServer, size: number): Promise<Cell[]> {
  const address = await server.newQueue();
  const queue = await openQueue(address);
  const [bytesBefore, operationsBefore] = [await server.bytes(address), await server.operations(address)];
  const addBegan = performance.now();
  for (let at = 0; at < size; at += addedAtOnce)
    await queue.add(Array.from({ length: Math.min(addedAtOnce, size - at) }, (_, index) => jobOf(at + index)));
  const addSeconds = (performance.now() - addBegan) / 1_000;
  const [bytesFull, operationsFull] = [await server.bytes(address), await server.operations(address)];
  const drainBegan = Date.now();
  const ends = await Promise.all(Array.from({ length: workers }, () => drained(address)));
  const drainSeconds = (Math.max(...ends.map(({ lastAt }) => lastAt)) - drainBegan) / 1_000;
  const done = ends.reduce((sum, { jobs }) => sum + jobs, 0);
  if (done !== size) throw new Error(`${server.name}: ${done} of ${size} jobs were done`);
  const cpu = ends.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const [bytesAfter, operationsAfter] = [await server.bytes(address), await server.operations(address)];
  await queue.close();
  const word = operationWord[server.name as keyof typeof operationWord];
  const columns: [string, string, "higher" | "lower", number][] = [
    ["added a second", "", "higher", size / addSeconds],
    ["done a second", "", "higher", size / drainSeconds],
    ["size of a job", "bytes", "lower", (bytesFull - bytesBefore) / size],
    ["left at the end", "MB", "lower", (bytesAfter - bytesBefore) / 1e6],
    ["to add a job", word, "lower", (operationsFull - operationsBefore) / size],
    ["to do a job", word, "lower", (operationsAfter - operationsFull) / size],
    ["processor of a worker for a job", "ms", "lower", (cpu / size) * 1_000],
  ];
  const name = `${server.name}, ${size.toLocaleString("en")} jobs`;
  return columns.map(([column, unit, better, value]) => cellOf({ name, column, unit, better }, [value]));
}

const [redis, postgres] = [process.env["BENCH_REDIS"], process.env["BENCH_POSTGRES"]];
const servers = [...(redis ? [redisServer(redis)] : []), ...(postgres ? [postgresServer(postgres)] : [])];
const cells: Cell[] = [];
for (const size of sizes)
  for (const server of servers) {
    progress(`the queue on ${server.name}: ${size.toLocaleString("en")} jobs`);
    cells.push(...(await row(server, size)));
  }
report(`The queue at size: ${workers} workers that do nothing, 50 jobs at a time each`, cells);

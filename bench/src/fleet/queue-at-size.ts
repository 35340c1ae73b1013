import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openQueue, type QueuedJob } from "@assay/fleet";
import { operationWord, postgresServer, type QueueServer, redisServer } from "./queue-server.ts";

/**
 * The real queue at the size of a registry: so many jobs are added, then taken by workers that do nothing. What it shows is what the
 * queue's server can carry, and what a job takes there.
 */
const { values: flags } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000,100000" },
    workers: { type: "string", default: "2" },
    "put-off": { type: "boolean", default: false },
  },
});
const sizes = flags.jobs.split(",").map(Number);
const workers = Number(flags.workers);
const addedAtOnce = 5_000;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

/** A job as a queue has it: two names. */
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

async function row(server: QueueServer, size: number): Promise<string> {
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
  const cells = [
    server.name,
    size.toLocaleString("en"),
    Math.round(size / addSeconds).toLocaleString("en"),
    Math.round(size / drainSeconds).toLocaleString("en"),
    ((bytesFull - bytesBefore) / size).toFixed(0),
    `${((bytesFull - bytesBefore) / 1e6).toFixed(0)} → ${((bytesAfter - bytesBefore) / 1e6).toFixed(0)}`,
    `${((operationsFull - operationsBefore) / size).toFixed(2)} + ${((operationsAfter - operationsFull) / size).toFixed(2)} ${operationWord[server.name as keyof typeof operationWord]}`,
    ((cpu / size) * 1_000).toFixed(2),
  ];
  return `| ${cells.join(" | ")} |`;
}

const [redis, postgres] = [process.env["BENCH_REDIS"], process.env["BENCH_POSTGRES"]];
const servers = [...(redis ? [redisServer(redis)] : []), ...(postgres ? [postgresServer(postgres)] : [])];
write(`The queue at size: ${workers} workers that do nothing, 50 jobs at a time each.\n`);
write(
  "| server | jobs | added/s | done/s | bytes/job | MB full → after | operations to add + to do a job | ms of processor of a worker/job |",
);
write("|---|---:|---:|---:|---:|---:|---|---:|");
for (const size of sizes) for (const server of servers) write(await row(server, size));

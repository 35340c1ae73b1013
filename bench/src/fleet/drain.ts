import { setTimeout as pause } from "node:timers/promises";
import { openQueue } from "@assay/fleet";

/**
 * Runs a worker that does no work: it takes every job of a queue and completes it. `--put-off` returns every tenth job
 * once, as the politeness limits do. Ends when the queue is empty, and prints one line with the number of jobs and the
 * processor time.
 */
const concurrency = Number(process.env["BENCH_CONCURRENCY"] ?? 50);
const putOff = process.argv.includes("--put-off");

const queue = await openQueue(process.env["BENCH_QUEUE"]!, { lease: 60_000 });
const stop = new AbortController();
const seen = new Set<string>();
let jobs = 0;
let lastAt = Date.now();
const working = queue.work(
  async ({ agent: name }) => {
    lastAt = Date.now();
    if (putOff && name.endsWith("0") && !seen.has(name)) {
      seen.add(name);
      return { again: 1_000, because: "busy" };
    }
    jobs++;
    return { done: true };
  },
  { concurrency, signal: stop.signal },
);
// Counting the remaining jobs is expensive at this size, so count only after a pause without jobs.
for (;;) {
  await pause(500);
  if (Date.now() - lastAt < 1_000) continue;
  const { waiting, active, delayed } = await queue.counts();
  if (waiting + active + delayed === 0) break;
}
stop.abort();
await working;
await queue.close();
const { user, system } = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ jobs, lastAt, cpuSeconds: (user + system) / 1e6 })}\n`);
process.exit(0);

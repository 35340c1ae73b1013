import { expect, test } from "vitest";
import type { QueuedJob } from "../queue/fleet-queue.ts";
import { Estimate, followSweep, type SweepProgress } from "./follow.ts";

const agents = ["a", "b", "c"];

/** A queue and a ledger in memory; `takes` says what becomes of the jobs of each adding. */
function laidOut(
  settledBefore: readonly string[],
  takes: (added: readonly QueuedJob[], time: number) => readonly string[],
) {
  const settled = new Set(settledBefore);
  const added: string[][] = [];
  return {
    added,
    ledger: {
      settled: async () => settled.size,
      unsettled: async (_sweep: string, names: readonly string[]) => names.filter((name) => !settled.has(name)),
    },
    queue: {
      async add(given: readonly QueuedJob[]) {
        added.push(given.map(({ agent }) => agent));
        for (const name of takes(given, added.length)) settled.add(name);
      },
      counts: async () => ({ waiting: 0, active: 0, delayed: 0, failed: 0 }),
    },
  };
}

const namesOf = (given: readonly QueuedJob[]) => given.map(({ agent }) => agent);
const quiet = new AbortController().signal;

test("a sweep that was interrupted goes on with the agents that have no verdict yet", async () => {
  const { added, ...place } = laidOut(["b"], namesOf);
  const seen: SweepProgress[] = [];
  const told = (progress: SweepProgress) => seen.push(progress);
  expect(await followSweep({ ...place, sweep: "sweep-1", agents, signal: quiet, told })).toBe(true);
  expect(added).toEqual([["a", "c"]]);
  expect(seen).toEqual([{ agents: 3, settled: 3 }]);
});

test("what a queue has lost is added again when nothing was settled for a while", async () => {
  const { added, ...place } = laidOut([], (given, time) => (time < 3 ? namesOf(given).slice(0, 1) : namesOf(given)));
  let now = 0;
  const clock = () => (now += 10);
  let quietly = 0;
  const times = { lookMs: 1, quietMs: 50, now: clock, quiet: () => quietly++ };
  expect(await followSweep({ ...place, sweep: "sweep-1", agents, signal: quiet, ...times })).toBe(true);
  expect([added, quietly]).toEqual([[["a", "b", "c"], ["b", "c"], ["c"]], 2]);
});

test("following ends with the signal, and says that it is not over", async () => {
  const { added: _, ...place } = laidOut([], () => []);
  const stop = new AbortController();
  const told = () => stop.abort();
  expect(await followSweep({ ...place, sweep: "sweep-1", agents, signal: stop.signal, told })).toBe(false);
});

test("the estimate goes by the last minutes", () => {
  const estimate = new Estimate();
  estimate.mark(0, 100);
  expect([estimate.perMinute, estimate.left(1_000)]).toEqual([undefined, undefined]);
  estimate.mark(60_000, 110);
  expect([estimate.perMinute, estimate.left(120)]).toEqual([10, 60_000]);
  for (let minute = 2; minute <= 10; minute++) estimate.mark(minute * 60_000, 110 + 20 * (minute - 1));
  expect(estimate.perMinute).toBe(20);
});

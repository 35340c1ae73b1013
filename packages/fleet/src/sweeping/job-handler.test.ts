import { expect, test } from "vitest";
import type { Examination } from "../examining/examination.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";
import type { QueuedJob } from "../queue/fleet-queue.ts";
import { jobOf, plannedOf } from "../queue/queue.fixture.ts";
import { type HandlerOptions, jobHandler } from "./job-handler.ts";

const reason = { code: "conformant", message: "It answers.", remedy: "Nothing to do." };
const working: Examination = { class: "working", reason, duration_ms: 5, mayPass: false };
const unreachable: Examination = { ...working, class: "unreachable", mayPass: true };
const quiet = new AbortController().signal;

/** A ledger in memory, with its key or without it, and a host that is never busy unless told so. */
function laidOut(more: Partial<HandlerOptions> & { readonly key?: boolean } = {}) {
  const verdicts: FleetVerdict[] = [];
  const { key = true, ...options } = more;
  const has = (sweep: string, agent: string) => verdicts.some((each) => each.sweep === sweep && each.agent === agent);
  const handle = jobHandler({
    jobOf: async (queued) => plannedOf(queued),
    ledger: {
      async settle(verdict) {
        if (key && has(verdict.sweep, verdict.agent)) return false;
        verdicts.push(verdict);
        return true;
      },
      isSettled: async (sweep, agent) => has(sweep, agent),
      previous: async () => undefined,
    },
    examine: async () => working,
    politeness: { turn: async () => ({ leave: async () => {} }), close: async () => {} },
    worker: "here",
    attempts: 3,
    pause: 1_000,
    longest: 60_000,
    now: () => 0,
    ...options,
  });
  return { handle, verdicts };
}

test("an agent is examined and has its verdict", async () => {
  const { handle, verdicts } = laidOut();
  expect(await handle(jobOf("a"), 1, quiet)).toEqual({ done: true });
  expect(verdicts).toEqual([
    {
      sweep: "sweep-1",
      agent: "a",
      url: "http://a.example",
      labels: [],
      class: "working",
      reason,
      attempts: 1,
      at: "1970-01-01T00:00:00.000Z",
      duration_ms: 5,
      worker: "here",
    },
  ]);
});

test("two workers that examine the same agent give it one verdict; without the key of the ledger they give it two", async () => {
  const twice = async (key: boolean) => {
    const { handle, verdicts } = laidOut({ key });
    await Promise.all([handle(jobOf("a"), 1, quiet), handle(jobOf("a"), 2, quiet)]);
    return verdicts.length;
  };
  expect([await twice(true), await twice(false)]).toEqual([1, 2]);
});

test("what may pass is tried again with longer pauses, and the last answer counts", async () => {
  const { handle, verdicts } = laidOut({ examine: async () => unreachable });
  expect(await handle(jobOf("a"), 1, quiet)).toEqual({ again: 1_000, because: "retry" });
  expect(await handle(jobOf("a"), 2, quiet)).toEqual({ again: 2_000, because: "retry" });
  expect(verdicts).toEqual([]);
  expect(await handle(jobOf("a"), 3, quiet)).toEqual({ done: true });
  expect(verdicts).toMatchObject([{ class: "unreachable", attempts: 3 }]);
});

test("a job that is settled is not examined again, though it is handed out", async () => {
  let examinations = 0;
  const examine = async () => {
    examinations++;
    return working;
  };
  const { handle, verdicts } = laidOut({ examine });
  await handle(jobOf("a"), 1, quiet);
  expect(await handle(jobOf("a"), 1, quiet)).toEqual({ done: true });
  expect([examinations, verdicts.length]).toEqual([1, 1]);
});

test("an agent over which worker after worker dies is left alone, and accused of nothing", async () => {
  const { handle, verdicts } = laidOut({ examine: async () => Promise.reject(new Error("asked")) });
  expect(await handle(jobOf("a"), 9, quiet)).toEqual({ done: true });
  expect(verdicts).toMatchObject([{ class: "not-examined", reason: { code: "process-died" } }]);
});

test("one that is not to be examined gets no request, and no turn is taken for it", async () => {
  const refused = async () => Promise.reject(new Error("asked"));
  const job = plannedOf(jobOf("a"));
  const { handle, verdicts } = laidOut({
    jobOf: async () => ({ ...job, agent: { ...job.agent, optOut: "its owner wrote" } }),
    examine: refused,
    politeness: { turn: refused, close: refused },
  });
  expect(await handle(jobOf("a"), 1, quiet)).toEqual({ done: true });
  expect(verdicts).toMatchObject([{ class: "opted-out", reason: { code: "opt-out-listed" } }]);
});

test("at a host that is busy the job is put off; a turn that was had is left, whatever happens", async () => {
  const busy = laidOut({ politeness: { turn: async () => ({ after: 700 }), close: async () => {} } });
  expect(await busy.handle(jobOf("a"), 1, quiet)).toEqual({ again: 700, because: "busy" });
  let left = 0;
  const leave = async () => void left++;
  const stop = new AbortController();
  stop.abort();
  const { handle, verdicts } = laidOut({
    examine: async () => Promise.reject(new Error("stopped")),
    politeness: { turn: async () => ({ leave }), close: async () => {} },
  });
  expect(await handle(jobOf("a"), 1, stop.signal)).toEqual({ again: 1, because: "busy" });
  await expect(handle(jobOf("a"), 1, quiet)).rejects.toThrow("stopped");
  expect([left, verdicts]).toEqual([2, []]);
});

test.each([
  ["of a sweep that is not in the ledger", jobOf("a", "sweep-unknown")],
  ["that is not a pair of names", { sweep: "sweep-1", agent: { name: "a", url: "http://evil.example" } } as never],
  ["without anything in it", undefined as never],
])("a worker drops a job %s without a request or a verdict", async (_what, queued) => {
  const dropped: QueuedJob[] = [];
  const refused = async () => Promise.reject(new Error("asked"));
  const { handle, verdicts } = laidOut({
    jobOf: async (given) => (given.sweep === "sweep-1" ? plannedOf(given) : undefined),
    dropped: (given) => dropped.push(given),
    examine: refused,
    politeness: { turn: refused, close: refused },
  });
  expect(await handle(queued, 1, quiet)).toEqual({ done: true });
  expect([dropped, verdicts]).toEqual([[queued], []]);
});

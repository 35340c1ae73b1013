import { foldRun, type RunEvent } from "@assay/suite/report";
import { expect } from "vitest";
import type { FleetJob } from "../examining/examination.ts";
import type { FleetLedger, FleetVerdict } from "./verdict.ts";

const at = (day: number): string => `2026-11-${String(day).padStart(2, "0")}T08:00:00.000Z`;

const verdict = (day: number, agent: string, more: Partial<FleetVerdict> = {}): FleetVerdict => ({
  sweep: `sweep-${day}`,
  agent,
  url: `http://${agent}.example`,
  labels: ["gold"],
  class: "working",
  reason: { code: "conformant", message: "It conforms", remedy: "Nothing to do", evidence: `GET ${agent}` },
  attempts: 1,
  at: at(day),
  duration_ms: 5,
  worker: "here",
  ...more,
});

const report = (run: string, day: number) => {
  const started: RunEvent = {
    event: "run-started",
    run,
    at: at(day),
    tool: { name: "assay", version: "0.0.0" },
    ruleSet: "1.0.1-r1",
    agentUrl: "http://a.example",
    depth: "card",
    strict: false,
  };
  return foldRun([started, { event: "run-finished", at: at(day), ending: "done", duration_ms: 5, workingMessages: 0 }]);
};

const job = (day: number, name: string, more: Partial<FleetJob> = {}): FleetJob => ({
  sweep: `sweep-${day}`,
  agent: {
    name,
    url: `http://${name}.example`,
    labels: [],
    login: { bearer: "env:TOKEN" },
    depth: "free",
    mayMessage: false,
  },
  ...more,
});

const agentsOf = (verdicts: readonly FleetVerdict[]) => verdicts.map(({ sweep, agent }) => `${sweep} ${agent}`).sort();

/** Tests a ledger in any kind of database. It must be empty. */
export async function tryLedger(ledger: FleetLedger): Promise<void> {
  for (const day of [1, 2, 3]) {
    await ledger.begin({ sweep: `sweep-${day}`, fleet: "registry", startedAt: at(day), agents: 1 });
  }
  await ledger.begin({ sweep: "sweep-3", fleet: "registry", startedAt: at(3), agents: 2 });
  await ledger.begin({ sweep: "other", fleet: "other", startedAt: at(4), agents: 1 });

  // A plan belongs to one sweep: the latest plan counts, and it is deleted when the sweep ends.
  const many = Array.from({ length: 1_200 }, (_, index) => job(2, `agent-${index}`));
  await ledger.plan("sweep-1", [job(1, "a")]);
  await ledger.plan("sweep-2", [job(2, "gone")]);
  await ledger.plan("sweep-2", [job(2, "a", { before: { cardDigest: "ab", at: 5 } }), ...many]);
  await ledger.plan("sweep-3", [job(3, "a")]);
  expect(await ledger.job("sweep-2", "a")).toEqual(job(2, "a", { before: { cardDigest: "ab", at: 5 } }));
  expect(await ledger.job("sweep-2", "agent-1199")).toEqual(many[1_199]);
  expect(await ledger.job("sweep-2", "gone")).toBeUndefined();
  expect(await ledger.job("sweep-9", "a")).toBeUndefined();

  // An agent gets one verdict in a sweep, even if several workers save one. Verdict and report are saved together.
  const first = verdict(1, "a", { run: "run-1" });
  const answers = await Promise.all([
    ledger.settle(first, report("run-1", 1)),
    ledger.settle(verdict(1, "a", { class: "unreachable", run: "run-0" }), report("run-0", 1)),
    ledger.settle(verdict(1, "a", { worker: "there" })),
  ]);
  expect(answers.filter((isKept) => isKept)).toHaveLength(1);
  const [kept] = await ledger.verdicts("sweep-1");
  expect(await ledger.verdicts("sweep-1")).toHaveLength(1);
  expect([await ledger.report("run-0"), await ledger.report("run-1")].filter(Boolean)).toHaveLength(kept?.run ? 1 : 0);
  expect([await ledger.isSettled("sweep-1", "a"), await ledger.isSettled("sweep-2", "a")]).toEqual([true, false]);
  expect(await ledger.unsettled("sweep-1", ["b", "a", "c"])).toEqual(["b", "c"]);
  expect([await ledger.settled("sweep-1"), await ledger.settled("sweep-2")]).toEqual([1, 0]);
  // The start of a run's name may be the name of another run, so it must not find the report.
  expect(await ledger.report("run-")).toBeUndefined();
  await expect(ledger.settle(verdict(9, "a"))).rejects.toThrow("sweep-9 is not in the ledger");

  // The newest verdict of each agent, back to the last finished sweep.
  await ledger.settle(verdict(1, "gone"));
  await ledger.end("sweep-1", at(2));
  await ledger.settle(verdict(2, "a", { run: "run-2" }), report("run-2", 2));
  await ledger.settle(verdict(2, "b", { run: "run-2b" }), report("run-2b", 2));
  await ledger.end("sweep-2", at(3));
  expect([await ledger.job("sweep-1", "a"), await ledger.job("sweep-2", "a")]).toEqual([undefined, undefined]);
  expect(await ledger.job("sweep-3", "a")).toEqual(job(3, "a"));
  await ledger.settle(verdict(3, "a", { run: "run-2", unchanged: true }));
  expect(agentsOf(await ledger.latest("registry"))).toEqual(["sweep-2 b", "sweep-3 a"]);
  expect(agentsOf(await ledger.latest("registry", "sweep-3"))).toEqual(["sweep-2 a", "sweep-2 b"]);
  expect(agentsOf(await ledger.latest("registry", "sweep-2"))).toEqual(["sweep-1 a", "sweep-1 gone"]);
  expect((await ledger.agent("registry", "a")).map(({ sweep }) => sweep)).toEqual(["sweep-3", "sweep-2", "sweep-1"]);
  expect(await ledger.agent("other", "a")).toEqual([]);
  expect(await ledger.sweeps("registry")).toEqual([
    { sweep: "sweep-3", fleet: "registry", startedAt: at(3), agents: 2 },
    { sweep: "sweep-2", fleet: "registry", startedAt: at(2), endedAt: at(3), agents: 1 },
    { sweep: "sweep-1", fleet: "registry", startedAt: at(1), endedAt: at(2), agents: 1 },
  ]);
  expect(await ledger.sweeps()).toHaveLength(4);
  expect(await ledger.previous("sweep-2", "a")).toMatchObject({ sweep: "sweep-3" });
  expect(await ledger.previous("other", "a")).toBeUndefined();

  // Deletes evidence, but no verdicts, and not the report that a repeated verdict refers to.
  expect(await ledger.forgetEvidence(at(3))).toBe(kept?.run ? 2 : 1);
  const [, , old] = await ledger.agent("registry", "a");
  expect(old).toEqual({
    ...withoutRun(kept!),
    reason: { code: kept!.reason.code, message: "It conforms", remedy: "Nothing to do" },
  });
  expect((await ledger.report("run-2"))?.run).toBe("run-2");
  expect(await ledger.report("run-2b")).toBeUndefined();
  expect((await ledger.agent("registry", "a"))[0]).toMatchObject({ run: "run-2", reason: { evidence: "GET a" } });
  expect(await ledger.forgetEvidence(at(3))).toBe(0);
}

const withoutRun = ({ run: _, ...verdict }: FleetVerdict): Omit<FleetVerdict, "run"> => verdict;

import { expect, test } from "vitest";
import type { FleetVerdict } from "../ledger/verdict.ts";
import type { ListedAgent } from "../listing/listed-agent.ts";
import { regressionsIn } from "./regressions.ts";
import { jobsFor, newSweep } from "./sweep.ts";

const verdict = (agent: string, named: FleetVerdict["class"], more: Partial<FleetVerdict> = {}): FleetVerdict => ({
  ...{ sweep: "s", agent, url: `http://${agent}.example`, labels: [], class: named, attempts: 1, duration_ms: 1 },
  ...{ reason: { code: "c", message: "m", remedy: "r" }, at: "2026-11-16T08:00:00.000Z", worker: "w", ...more },
});

test.each([
  ["working", "rules-broken", true],
  ["rules-broken", "unreachable", true],
  ["working", "login-required", true],
  ["unreachable", "working", false],
  ["unreachable", "timed-out", false],
  // What we did not examine says nothing.
  ["working", "not-examined", false],
  ["not-examined", "unreachable", false],
  ["working", "refused-by-guard", false],
  ["working", "opted-out", false],
] as const)("from %s to %s", (before, now, isOne) => {
  expect(regressionsIn([verdict("a", before)], [verdict("a", now)])).toHaveLength(isOne ? 1 : 0);
});

test("a level that falls is one, too; a new agent, and one without a level, are none", () => {
  const levels = (level: FleetVerdict["level"]) => (level === undefined ? {} : { level });
  const fell = (before: FleetVerdict["level"], now: FleetVerdict["level"]) =>
    regressionsIn([verdict("a", "working", levels(before))], [verdict("a", "working", levels(now))]).length;
  expect([fell("full", "partial"), fell("partial", "full"), fell("full", null), fell(null, "partial")]).toEqual([
    1, 0, 0, 0,
  ]);
  expect(regressionsIn([], [verdict("a", "unreachable")])).toEqual([]);
});

test("a verdict may stand while the card does, where it is about what the agent is; its age is that of the examination", () => {
  const agent: ListedAgent = {
    name: "a",
    url: "http://a.example",
    labels: [],
    depth: "free",
    mayMessage: false,
    notBefore: 9,
  };
  const [at, examinedAt, cardDigest] = ["2026-11-16T08:00:00.000Z", "2026-11-10T08:00:00.000Z", "ab"];
  const before = (last: FleetVerdict, listed = agent) => jobsFor("s2", [listed], [last])[0]?.before;
  expect(before(verdict("a", "working", { at, cardDigest }))).toEqual({ cardDigest, at: Date.parse(at) });
  expect(before(verdict("a", "working", { at, examinedAt, cardDigest }))).toEqual({
    cardDigest,
    at: Date.parse(examinedAt),
  });
  expect(before(verdict("a", "unreachable", { at, cardDigest }))).toBeUndefined();
  expect(before(verdict("a", "working", { at }))).toBeUndefined();
  const { notBefore: _, ...always } = agent;
  expect(before(verdict("a", "working", { at, cardDigest }), always)).toBeUndefined();
});

test("sweeps are named by their time", () => {
  const { sweep, ...rest } = newSweep("registry", 3, new Date("2026-11-16T08:09:10.123Z"));
  expect(sweep).toMatch(/^sweep-20261116-080910-[0-9a-f]{6}$/);
  expect(rest).toEqual({ fleet: "registry", startedAt: "2026-11-16T08:09:10.123Z", agents: 3 });
});

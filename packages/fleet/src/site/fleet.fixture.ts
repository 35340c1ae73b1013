import type { ConformanceReport } from "@assay/suite/report";
import { brokenReport, conformantReport } from "../hallmark/report.fixture.ts";
import type { FleetVerdict, Sweep } from "../ledger/verdict.ts";
import type { FleetSource } from "../report/make.ts";

const sweeps: Sweep[] = [
  {
    sweep: "s2",
    fleet: "registry",
    startedAt: "2026-11-16T02:00:00.000Z",
    endedAt: "2026-11-16T02:10:00.000Z",
    agents: 6,
  },
  {
    sweep: "s1",
    fleet: "registry",
    startedAt: "2026-11-15T02:00:00.000Z",
    endedAt: "2026-11-15T02:10:00.000Z",
    agents: 6,
  },
];

export const verdict = (agent: string, more: Partial<FleetVerdict> = {}): FleetVerdict => ({
  sweep: "s2",
  agent,
  url: `https://${agent}.example/a2a`,
  labels: ["gold-customer"],
  class: "working",
  reason: { code: "conformant", message: "It conforms.", remedy: "Nothing to do." },
  outcome: "conformant",
  level: "partial",
  examined: { rules: 2, of: 3 },
  run: "run-good",
  attempts: 1,
  at: "2026-11-16T02:03:00.000Z",
  duration_ms: 1200,
  worker: "worker-7.internal",
  ...more,
});

const broken = {
  class: "rules-broken",
  outcome: "not-conformant",
  level: "minimal",
  run: "run-broken",
  reason: { code: "rules-broken", message: "It breaks rules.", remedy: "Repair them.", evidence: "GET / → 200" },
} satisfies Partial<FleetVerdict>;

const unreachable = {
  class: "unreachable",
  reason: { code: "refused", message: "No connection.", remedy: "Start it." },
} satisfies Partial<FleetVerdict>;

/** A verdict on an agent that could not be tested. */
export function without(agent: string, more: Partial<FleetVerdict>): FleetVerdict {
  const { outcome: _outcome, level: _level, examined: _examined, run: _run, ...bare } = verdict(agent);
  return { ...bare, ...more };
}

export const verdictsNow: readonly FleetVerdict[] = [
  without("dead", unreachable),
  verdict("faulty", { ...broken, builtWith: { name: "a2a-python", because: "its Server header" } }),
  verdict("good", { builtWith: { name: "a2a-python", because: "its Server header" } }),
  verdict("risen", { level: "full" }),
  verdict("newcomer"),
  without("shy", {
    class: "opted-out",
    reason: { code: "opt-out-list", message: "It opted out.", remedy: "Nothing to do." },
  }),
];

export const verdictsBefore: readonly FleetVerdict[] = [
  verdict("dead", { sweep: "s1" }),
  verdict("faulty", { sweep: "s1" }),
  verdict("good", { sweep: "s1", level: "full" }),
  without("risen", { sweep: "s1", ...unreachable }),
  verdict("shy", { sweep: "s1" }),
  verdict("lost", { sweep: "s1" }),
];

/** Returns a ledger in memory with two sweeps and the reports of their verdicts. */
export const sourceOf = (
  now: readonly FleetVerdict[] = verdictsNow,
  before: readonly FleetVerdict[] = verdictsBefore,
  reports: Readonly<Record<string, ConformanceReport>> = { "run-good": conformantReport, "run-broken": brokenReport },
): FleetSource => ({
  sweeps: async (fleet) => (fleet === undefined || fleet === "registry" ? sweeps.slice(0, before.length ? 2 : 1) : []),
  verdicts: async (sweep) => [...(sweep === "s2" ? now : before)],
  latest: async (_fleet, until) => [...(until === "s2" ? before : now)],
  agent: async (_fleet, agent) => [...now, ...before].filter((each) => each.agent === agent),
  report: async (run) => reports[run],
});

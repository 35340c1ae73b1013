import { type ConformanceReport, type ConformanceResult, foldRun, type RunEvent } from "@assay/suite/report";

const on = { url: "https://agent.example/a2a", dialect: "1.0", binding: "JSONRPC" };

const result = (test: string, more: Partial<ConformanceResult> = {}): RunEvent => ({
  event: "check-finished",
  result: {
    test,
    category: "lifecycle",
    status: more.verdict === "fail" ? "fail" : more.verdict === undefined ? "pass" : "skip",
    verdict: "pass",
    dialect: "1.0",
    level: "MUST",
    title: `the title of ${test}`,
    section: "3.1.4",
    specUrl: "https://a2a-protocol.org/latest/specification/",
    evidence: [],
    ...more,
  },
});

/** Builds the events of a run; by default the agent passes everything. */
const events = (
  more: readonly RunEvent[],
  started: Partial<Extract<RunEvent, { event: "run-started" }>>,
): RunEvent[] => [
  {
    event: "run-started",
    run: "2026-11-15T08-14-02",
    at: "2026-11-15T08:14:02.000Z",
    tool: { name: "assay", version: "1.0.0" },
    ruleSet: "1.0.1-r1",
    agentUrl: "https://agent.example",
    depth: "quick",
    strict: false,
    ...started,
  },
  {
    event: "agent-found",
    cardUrl: "https://agent.example/.well-known/agent-card.json",
    cardDigest: "ab".repeat(32),
    name: "Weather Agent",
    version: "2.3.0",
    dialects: [{ dialect: "1.0", because: "its card", declared: true }],
    interfaces: [on],
    leftOut: [],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
  },
  { event: "planned", checks: 4, rules: 4, workingMessages: 1, withoutCheck: 0 },
  result("CARD-001", { category: "agent-card" }),
  result("SEND-001", { interface: on }),
  result("LIST-001", { interface: on, verdict: "not-examined", unexamined: "depth" }),
  result("PUSH-001", { interface: on, verdict: "not-applicable" }),
  { event: "lifecycle-seen", interface: on, answer: "message" },
  ...more,
  { event: "run-finished", at: "2026-11-15T08:14:50.000Z", ending: "done", duration_ms: 48_000, workingMessages: 1 },
];

export const runEvents = (): RunEvent[] => events([], {});

export const reportWith = (
  more: readonly RunEvent[] = [],
  started: Partial<Extract<RunEvent, { event: "run-started" }>> = {},
): ConformanceReport => foldRun(events(more, started));

export const conformantReport = reportWith();
export const brokenReport = reportWith([result("ERR-020", { verdict: "fail", interface: on, message: "no error" })]);
export const cardOnlyReport = reportWith([], { depth: "card" });

export const bytesOf = (report: unknown): Uint8Array => Buffer.from(`${JSON.stringify(report)}\n`);

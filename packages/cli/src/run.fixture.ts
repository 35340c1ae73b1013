import {
  type ConformanceReport,
  type ConformanceResult,
  foldRun,
  type InterfaceName,
  type RunEvent,
  type RunFinished,
} from "@assay/suite/report";

/** Parts of runs, so that a test contains only what it is about. */
export const jsonRpc: InterfaceName = { url: "http://127.0.0.1:9999/", dialect: "1.0", binding: "JSONRPC" };
export const rest: InterfaceName = { url: "http://127.0.0.1:9999/v1", dialect: "1.0", binding: "HTTP+JSON" };

export const started: RunEvent = {
  event: "run-started",
  run: "2026-11-15T08-14-02",
  at: "2026-11-15T08:14:02.000Z",
  tool: { name: "assay", version: "1.0.0" },
  ruleSet: "1.0.1-r1",
  agentUrl: "http://127.0.0.1:9999",
  depth: "quick",
  strict: false,
};

export const found: RunEvent = {
  event: "agent-found",
  cardUrl: "http://127.0.0.1:9999/.well-known/agent-card.json",
  name: "Weather Agent",
  version: "2.3.0",
  dialects: [{ dialect: "1.0", because: "its card", declared: true }],
  interfaces: [jsonRpc, rest],
  leftOut: [],
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
};

export const planned: RunEvent = { event: "planned", checks: 12, rules: 10, workingMessages: 8, withoutCheck: 4 };
const estimated: RunEvent = { event: "estimated", perMessageMs: 6_100, totalMs: 50_000 };

export const finished: RunFinished = {
  event: "run-finished",
  at: "2026-11-15T08:14:50.000Z",
  ending: "done",
  duration_ms: 48_000,
  workingMessages: 8,
};

/** Returns a result that passes by default. */
export function result(test: string, more: Partial<ConformanceResult> = {}): RunEvent {
  const verdict = more.verdict ?? "pass";
  return {
    event: "check-finished",
    result: {
      test,
      category: "lifecycle",
      status: verdict === "pass" ? "pass" : verdict === "fail" ? "fail" : "skip",
      verdict,
      dialect: "1.0",
      level: "MUST",
      title: `the title of ${test}`,
      section: "3.1.4",
      specUrl: "https://a2a-protocol.org/latest/specification/",
      evidence: [],
      ...more,
    },
  };
}

/** The minimum that shows that an agent works: its card, and a message with a response. */
export const basics: readonly RunEvent[] = [
  result("CARD-001", { category: "agent-card" }),
  result("SEND-001", { interface: jsonRpc }),
];

const unknownTask: Partial<ConformanceResult> = {
  verdict: "fail",
  category: "error-handling",
  section: "3.3.2, 5.4",
  message: "GetTask answers -32603 for an unknown task",
  sent: '{"method":"GetTask","params":{"id":"3f0c…"}}',
  saw: '{"error":{"code":-32603,"message":"KeyError: \'3f0c…\'"}}',
  want: "error.code -32001 (TaskNotFound)",
  remedy: "Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.",
  repeat:
    "curl -s http://127.0.0.1:9999/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{\"method\":\"GetTask\"}'",
};

/** An agent with two failures, one of which blocks other rules, a warning, and rules that were not examined. */
export const weatherRun: readonly RunEvent[] = [
  started,
  found,
  planned,
  estimated,
  { event: "check-started", test: "SEND-001", title: "a message is answered", interface: jsonRpc },
  result("SEND-001", { interface: jsonRpc }),
  result("ERR-020", { ...unknownTask, interface: jsonRpc }),
  result("LIST-003", { verdict: "fail", interface: jsonRpc, message: "nextPageToken is missing on the last page" }),
  result("LIST-003", { verdict: "fail", interface: rest, message: "nextPageToken is missing on the last page" }),
  result("CACHE-001", {
    category: "agent-card",
    level: "SHOULD",
    warning: "no Cache-Control on the card",
    remedy: "Send Cache-Control: max-age=3600.",
  }),
  result("GET-007", { verdict: "blocked", interface: jsonRpc, rootCause: "ERR-020", message: "unknown tasks" }),
  result("GET-008", { verdict: "blocked", interface: jsonRpc, rootCause: "ERR-020", message: "unknown tasks" }),
  result("MULTI-002", { verdict: "not-examined", unexamined: "prompt", enable: "prompts.inputRequired in assay.yaml" }),
  result("MULTI-003", { verdict: "not-examined", unexamined: "prompt", enable: "prompts.inputRequired in assay.yaml" }),
  result("PUSH-001", { verdict: "not-applicable" }),
  result("STREAM-009", { verdict: "not-examined", unexamined: "depth", enable: "--depth full" }),
  finished,
];

/** An agent behind a gateway that does not wait for it and rejects requests. */
export const gatewayRun: readonly RunEvent[] = [
  started,
  found,
  planned,
  result("GET-002"),
  ...["SEND-001", "SEND-002", "STREAM-001"].map((test) =>
    result(test, {
      verdict: "not-examined",
      unexamined: "unstable",
      message: "a gateway returned 504 after 3 s",
      enable: "prompts.task in assay.yaml: a message that takes less time; or test the agent without its gateway",
      trouble: { code: "gateway", status: 504, seconds: 3.04 },
    }),
  ),
  result("STREAM-009", { verdict: "not-examined", unexamined: "depth", enable: "--depth full" }),
  { ...finished, slowedDown: { turnedAway: 14, status: 429, requestsPerSecond: 5.2 } },
];

/** Returns the report of a run with a given level, for tests that are not about levels. */
export const reportOf = (events: readonly RunEvent[], level: Partial<ConformanceReport> = {}): ConformanceReport => ({
  ...foldRun(events),
  conformanceLevel: "partial",
  levelBecause: "push not offered",
  ...level,
});

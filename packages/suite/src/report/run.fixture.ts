import type { HarEntry } from "@assay/wire";
import type { AgentFound, RunEvent, RunFinished, RunStarted } from "./events.ts";
import type { ConformanceResult, InterfaceName } from "./result.ts";
import { statusOf } from "./verdict.ts";

export const jsonrpc: InterfaceName = { url: "http://agent.test/", dialect: "1.0", binding: "JSONRPC" };
export const rest: InterfaceName = { url: "http://agent.test/", dialect: "1.0", binding: "HTTP+JSON" };
export const grpc: InterfaceName = { url: "http://agent.test:50051", dialect: "1.0", binding: "GRPC" };

/** Returns a result with only the members that a test is about; by default a pass of the lifecycle. */
export function result(test: string, about: Partial<Omit<ConformanceResult, "test" | "status">> = {}) {
  const verdict = about.verdict ?? "pass";
  return {
    test,
    category: "lifecycle",
    status: statusOf(verdict),
    dialect: "1.0",
    level: "MUST",
    title: `what ${test} says`,
    section: "3.1",
    specUrl: "https://a2a-protocol.org/latest/specification/",
    evidence: [],
    ...about,
    verdict,
  } satisfies ConformanceResult;
}

/** The minimum for a level: the agent's card and a message. */
export const basics = [result("CARD-001", { category: "agent-card" }), result("SEND-001", { interface: jsonrpc })];

export const started: RunStarted = {
  event: "run-started",
  run: "2026-11-15T08-14-02",
  at: "2026-11-15T08:14:02.000Z",
  tool: { name: "assay", version: "1.0.0" },
  ruleSet: "1.0.1-r1",
  agentUrl: "http://agent.test",
  depth: "full",
  strict: false,
};

export const found: AgentFound = {
  event: "agent-found",
  cardUrl: "http://agent.test/.well-known/agent-card.json",
  name: "Weather Agent",
  version: "2.3.0",
  dialects: [{ dialect: "1.0", because: "its card", declared: true }],
  interfaces: [jsonrpc, rest, grpc],
  leftOut: [],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
};

export const finished: RunFinished = {
  event: "run-finished",
  at: "2026-11-15T08:14:50.000Z",
  ending: "done",
  duration_ms: 48_000,
  workingMessages: 8,
};

export const checked = (results: readonly ConformanceResult[]): RunEvent[] =>
  results.map((each) => ({ event: "check-finished", result: each }));

/** Returns the events of a whole run with these results. */
export const runOf = (results: readonly ConformanceResult[], ending: Partial<RunFinished> = {}): RunEvent[] => [
  started,
  found,
  ...checked(results),
  { ...finished, ...ending },
];

/** Returns an exchange that begins `after` milliseconds after the run and takes `took` milliseconds. */
export function exchange(id: string, after: number, took: number, working = false): RunEvent {
  const entry: HarEntry = {
    startedDateTime: new Date(Date.parse(started.at) + after).toISOString(),
    time: took,
    request: {
      method: "POST",
      url: "http://agent.test/",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      content: { size: 2, mimeType: "application/json", text: "{}" },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { connect: 0, send: 0, wait: took, receive: 0 },
    _id: id,
  };
  return { event: "exchange", id, interface: jsonrpc, ...(working && { working: true }), entry };
}

import type { JsonObject } from "@assay/protocol";
import type { ConformanceResult, InterfaceName, RunEnding, RunEvent } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { agentClasses } from "./agent-class.ts";
import { classOfRun } from "./classify.ts";
import { reasons } from "./reasons.ts";
import { RunFacts } from "./run-facts.ts";

const at = "2026-11-16T08:00:00.000Z";
const rpc: InterfaceName = { url: "http://a.example/rpc", binding: "JSONRPC", dialect: "1.0" };
const grpc: InterfaceName = { url: "http://a.example", binding: "GRPC", dialect: "1.0" };

/** What an interface answered: a status, or a failure. */
interface Answered {
  readonly status?: number;
  readonly failure?: string;
  readonly text?: string;
  readonly type?: string;
}

const exchange = (id: string, on: InterfaceName, { status = 0, failure, text = "", type = "" }: Answered) =>
  ({
    event: "exchange",
    id,
    interface: on,
    entry: {
      startedDateTime: at,
      time: 1,
      request: { method: "POST", url: on.url },
      response: {
        status,
        headers: [],
        content: { mimeType: type, text },
        ...(failure && { _error: `${failure}: words` }),
      },
    },
  }) as unknown as RunEvent;

const finished = (test: string, on: InterfaceName | undefined, more: Partial<ConformanceResult>) =>
  ({
    event: "check-finished",
    result: {
      test,
      category: "lifecycle",
      status: "skip",
      verdict: "not-examined",
      dialect: "1.0",
      level: "MUST",
      title: test,
      section: "1",
      specUrl: "https://example.com",
      evidence: [],
      ...(on && { interface: on }),
      ...more,
    },
  }) as unknown as RunEvent;

interface Run {
  readonly depth?: "card" | "free" | "quick";
  readonly ending?: RunEnding;
  readonly interfaces?: readonly InterfaceName[];
  readonly undeclared?: readonly InterfaceName[];
  readonly leftOut?: readonly object[];
  readonly events?: readonly RunEvent[];
  readonly lifecycle?: string;
  readonly card?: JsonObject;
  readonly hasLogin?: boolean;
}

function codeOf(run: Run): string {
  const { depth = "free", ending = "done", interfaces = [rpc], undeclared = [], leftOut = [], events = [] } = run;
  const facts = new RunFacts();
  const dialects = [
    { dialect: "1.0", because: "its card", declared: true },
    ...undeclared.map(({ dialect }) => ({ dialect, because: "it answers" })),
  ];
  const told = [
    {
      ...{ event: "run-started", run: "r", at, tool: { name: "assay", version: "0" } },
      ...{ ruleSet: "1.0.1-r1", agentUrl: "http://a.example", depth, strict: false },
    },
    {
      ...{ event: "agent-found", cardUrl: "http://a.example/card", name: "A", version: "1", dialects, leftOut },
      ...{ interfaces: [...interfaces, ...undeclared], capabilities: {} },
    },
    ...events,
    ...(run.lifecycle ? [{ event: "lifecycle-seen", interface: rpc, answer: run.lifecycle }] : []),
    { event: "run-finished", at, ending, duration_ms: 1, workingMessages: 0 },
  ] as unknown as RunEvent[];
  for (const event of told) facts.take(event);
  return classOfRun(facts, { card: run.card ?? {}, hasLogin: run.hasLogin ?? false }).code;
}

const spoken = finished("CARD-016", rpc, { verdict: "pass", status: "pass" });
const broken = finished("GET-001", rpc, { verdict: "fail", status: "fail" });
const contact = (more: Partial<ConformanceResult>, answered: Answered, on = rpc): RunEvent[] => [
  exchange("e1", on, answered),
  finished("CARD-016", on, { evidence: ["e1"], ...more }),
];
const failed = (answered: Answered, on = rpc) => contact({ verdict: "fail", status: "fail" }, answered, on);
const unseen = (unexamined: ConformanceResult["unexamined"] & string, answered: Answered = {}) =>
  contact({ unexamined }, answered);
const rpcError = (code: number): Answered => ({
  status: 200,
  text: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "words" } }),
});

describe("an agent that speaks", () => {
  const works = { depth: "quick", lifecycle: "completed", events: [spoken] } as const;
  test.each<[string, Run]>([
    ["unasked", { events: [spoken] }],
    ["conformant", works],
    ["rules-broken", { events: [spoken, broken] }],
    ["rules-broken", { events: [spoken, broken], ending: "time-over" }],
    ["deadline", { events: [spoken], ending: "time-over" }],
    ["gone", { events: [spoken], ending: "agent-gone" }],
    ["partly-seen", { interfaces: [rpc, grpc], events: [spoken, finished("CARD-016", grpc, { verdict: "error" })] }],
    ["message-failed", { depth: "quick", lifecycle: "failed", events: [spoken] }],
    ["message-refused", { depth: "quick", lifecycle: "refused", events: [spoken] }],
    ["message-timeout", { depth: "quick", lifecycle: "unfinished", events: [spoken] }],
    ["message-timeout", { depth: "quick", lifecycle: "silence", events: [spoken] }],
    ["message-login", { depth: "quick", events: [spoken, finished("SEND-001", rpc, { unexamined: "login" })] }],
    ["endpoint-payment", { depth: "quick", events: [spoken, finished("SEND-001", rpc, { unexamined: "payment" })] }],
  ])("%s", (code, run) => {
    expect(codeOf(run)).toBe(code);
  });

  const paid = (required: boolean): JsonObject => ({
    capabilities: { extensions: [{ uri: "https://github.com/google-a2a/a2a-x402/v0.1", required }] },
  });
  test("payment-extension, where its card requires one and nothing was answered for free", () => {
    expect(codeOf({ events: [spoken], card: paid(true) })).toBe("payment-extension");
    expect(codeOf({ events: [spoken], card: paid(false) })).toBe("unasked");
    expect(codeOf({ ...works, card: paid(true) })).toBe("conformant");
  });
});

describe("an agent that does not speak where its card leads", () => {
  test.each<[string, Run]>([
    ["endpoint-404", { events: failed({ status: 404, text: "<html>", type: "text/html" }) }],
    ["endpoint-405", { events: failed({ status: 405 }) }],
    ["endpoint-redirects", { events: failed({ status: 308 }) }],
    ["endpoint-page", { events: failed({ status: 200, text: "<!doctype html>" }) }],
    ["endpoint-no-a2a", { events: failed({ status: 200, text: "{}" }) }],
    ["endpoint-other-protocol", { events: failed(rpcError(-32601)) }],
    ["endpoint-other-version", { events: failed(rpcError(-32009)) }],
    ["connection-refused", { events: failed({ failure: "connect-refused" }) }],
    ["endpoint-login", { ending: "login-required" }],
    ["login-not-accepted", { ending: "login-required", hasLogin: true }],
    ["endpoint-payment", { ending: "payment-required" }],
    ["guard-interface", { ending: "no-usable-interface", events: unseen("egress") }],
    ["endpoint-timeout", { ending: "no-usable-interface", events: unseen("unstable", { failure: "timeout-idle" }) }],
    [
      "endpoint-timeout",
      { ending: "time-over", events: unseen("unstable", { status: 200, failure: "timeout-total" }) },
    ],
    ["connection-dropped", { ending: "no-usable-interface", events: unseen("unstable", { failure: "reset" }) }],
    ["gateway", { ending: "no-usable-interface", events: unseen("unstable", { status: 503 }) }],
    ["busy", { ending: "no-usable-interface", events: unseen("unstable", { status: 429 }) }],
    ["dns", { ending: "no-usable-interface", events: contact({ verdict: "error" }, { failure: "dns" }) }],
    ["tls", { ending: "no-usable-interface", events: contact({ verdict: "error" }, { failure: "tls" }) }],
    ["network-trouble", { ending: "no-usable-interface", events: contact({ verdict: "error" }, { failure: "proxy" }) }],
    ["unstable", { ending: "no-usable-interface", events: unseen("unstable", { status: 200 }) }],
    ["deadline", { ending: "time-over" }],
    ["deadline", { ending: "time-over", events: unseen("interrupted") }],
    ["interrupted", { ending: "interrupted" }],
    ["nothing-examined", {}],
  ])("%s", (code, run) => {
    expect(codeOf(run)).toBe(code);
  });

  test.each(["tls", "reset", "closed-early"])("endpoint-certificate, where its card asks for one: %s", (failure) => {
    const dropped = { ending: "no-usable-interface", events: contact({ verdict: "error" }, { failure }) } as const;
    const scheme = (type: object): JsonObject => ({ securitySchemes: { cert: type } }) as JsonObject;
    const codes = [scheme({ mtlsSecurityScheme: {} }), scheme({ type: "mutualTLS" }), scheme({ type: "http" })];
    const other = failure === "tls" ? "tls" : "connection-dropped";
    expect(codes.map((card) => codeOf({ ...dropped, card }))).toEqual([
      "endpoint-certificate",
      "endpoint-certificate",
      other,
    ]);
  });

  test("another version at the same address is what it is", () => {
    const older: InterfaceName = { ...rpc, dialect: "0.3" };
    const answers = finished("CARD-016", older, { verdict: "pass", status: "pass", dialect: "0.3" });
    expect(codeOf({ undeclared: [older], events: [...failed(rpcError(-32601)), answers] })).toBe(
      "endpoint-other-version",
    );
  });

  test("of several interfaces the one that answers says most, and what we may not contact least", () => {
    const both = { interfaces: [grpc, rpc], ending: "no-usable-interface" } as const;
    const kept = contact({ unexamined: "egress" }, {}, grpc);
    expect(codeOf({ ...both, events: [...kept, ...failed({ status: 404 })] })).toBe("endpoint-404");
    expect(codeOf({ ...both, events: [...kept, ...unseen("unstable", { failure: "timeout-idle" })] })).toBe(
      "endpoint-timeout",
    );
  });
});

test.each<[string, Run]>([
  ["card-only", { depth: "card", events: [finished("CARD-001", undefined, { verdict: "pass", status: "pass" })] }],
  [
    "card-breaks-rules",
    { depth: "card", events: [finished("CARD-001", undefined, { verdict: "fail", status: "fail" })] },
  ],
  ["nothing-examined", { depth: "card" }],
  ["no-interface", { interfaces: [], ending: "no-interface" }],
  ["interface-unknown", { interfaces: [], ending: "no-usable-interface" }],
  ["interface-address", { interfaces: [], events: [broken] }],
  ["credential-withheld", { interfaces: [], leftOut: [{ interface: rpc, because: "words", withheld: true }] }],
])("a card alone: %s", (code, run) => {
  expect(codeOf(run)).toBe(code);
});

test("every class has a reason, and what we could not see is never called a fault", () => {
  const rows = Object.values(reasons);
  expect(agentClasses.filter((named) => !rows.some((row) => row.class === named))).toEqual([]);
  const ours = [
    "deadline",
    "process-died",
    "process-memory",
    "own-error",
    "credential-missing",
    "unchanged",
    "sweep-over",
  ] as const;
  expect(ours.map((code) => reasons[code].class)).toEqual(ours.map(() => "not-examined"));
});

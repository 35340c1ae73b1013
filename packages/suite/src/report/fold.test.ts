import fc from "fast-check";
import { expect, test } from "vitest";
import { resultsOf } from "./document.ts";
import { foldRun } from "./fold.ts";
import type { ConformanceResult } from "./result.ts";
import {
  basics,
  checked,
  exchange,
  finished,
  found,
  grpc,
  jsonrpc,
  rest,
  result,
  runOf,
  started,
} from "./run.fixture.ts";
import { verdictNames } from "./verdict.ts";

test("a run without its beginning is refused", () => {
  expect(() => foldRun([found, finished])).toThrow(
    "The first event of a run must be run-started, and this run has another one.",
  );
});

test("a whole run is told with its agent, its numbers and its level", () => {
  const report = foldRun([
    started,
    found,
    { event: "planned", checks: 3, rules: 3, workingMessages: 8, withoutCheck: 12 },
    { event: "note", text: "10.0.0.1 was not contacted" },
    { event: "note", text: "10.0.0.1 was not contacted" },
    ...checked([...basics, result("LIST-003", { verdict: "fail", interface: rest, message: "no nextPageToken" })]),
    finished,
  ]);
  const { categories, ...told } = report;
  expect(told).toMatchInlineSnapshot(`
    {
      "agentName": "Weather Agent",
      "agentUrl": "http://agent.test",
      "agentVersion": "2.3.0",
      "capabilities": {
        "extendedAgentCard": false,
        "pushNotifications": true,
        "streaming": true,
      },
      "cardUrl": "http://agent.test/.well-known/agent-card.json",
      "conformanceLevel": "partial",
      "depth": "full",
      "dialects": [
        {
          "because": "its card",
          "conformanceLevel": "partial",
          "declared": true,
          "dialect": "1.0",
          "levelBecause": "listing fails (LIST-003)",
          "outcome": "not-conformant",
        },
      ],
      "duration_ms": 48000,
      "ending": "done",
      "fixFirst": [
        {
          "blocks": 0,
          "findings": [
            "LIST-003/1.0/HTTP+JSON/broken",
          ],
          "message": "no nextPageToken",
          "tests": [
            "LIST-003",
          ],
          "weight": "other",
          "where": "HTTP+JSON",
        },
      ],
      "interfaces": [
        {
          "binding": "JSONRPC",
          "dialect": "1.0",
          "url": "http://agent.test/",
        },
        {
          "binding": "HTTP+JSON",
          "dialect": "1.0",
          "url": "http://agent.test/",
        },
        {
          "binding": "GRPC",
          "dialect": "1.0",
          "url": "http://agent.test:50051",
        },
      ],
      "leftOut": [],
      "levelBecause": "listing fails (LIST-003)",
      "notes": [
        "10.0.0.1 was not contacted",
      ],
      "outcome": "not-conformant",
      "rootCauses": [],
      "ruleSet": "1.0.1-r1",
      "run": "2026-11-15T08-14-02",
      "scope": "everything",
      "strict": false,
      "subject": "agent",
      "summary": {
        "applicable": 3,
        "blocked": 0,
        "errors": 0,
        "examined": 3,
        "expected": 0,
        "failed": 1,
        "passed": 2,
        "plannedMessages": 8,
        "skipped": 0,
        "total": 3,
        "warnings": 0,
        "withoutCheck": 12,
        "workingMessages": 8,
      },
      "testDate": "2026-11-15T08:14:02.000Z",
      "tool": {
        "name": "assay",
        "version": "1.0.0",
      },
    }
  `);
  expect(Object.entries(categories).map(([name, results]) => [name, results.map(({ test: id }) => id)])).toEqual([
    ["agentCard", ["CARD-001"]],
    ["lifecycle", ["LIST-003", "SEND-001"]],
    ...["streaming", "errorHandling", "interop"].map((name) => [name, []]),
  ]);
});

test("passed, failed and skipped add up to the total; rules are counted once for all interfaces", () => {
  const results = [
    ...[jsonrpc, rest, grpc].map((on) => result("GET-001", { interface: on })),
    result("GET-002", { verdict: "fail", interface: grpc, expected: "next month" }),
    result("GET-003", { verdict: "blocked", rootCause: "GET-002", interface: grpc }),
    result("GET-004", { verdict: "error" }),
    result("GET-005", { verdict: "not-applicable" }),
    result("GET-006", { verdict: "not-examined", unexamined: "prompt" }),
    result("GET-007", { warning: "slow" }),
  ];
  expect(foldRun(runOf(results)).summary).toEqual({
    total: 9,
    passed: 4,
    failed: 1,
    skipped: 4,
    warnings: 1,
    blocked: 1,
    errors: 1,
    applicable: 6,
    examined: 3,
    workingMessages: 8,
    plannedMessages: 8,
    expected: 1,
    withoutCheck: 0,
  });
});

test("a rule counts in each version that has it", () => {
  const older = { dialect: "0.3", interface: { ...jsonrpc, dialect: "0.3" } };
  const { summary } = foldRun(
    runOf([
      result("GET-001", { interface: jsonrpc }),
      result("GET-001", { interface: rest }),
      result("GET-001", { ...older, verdict: "not-examined", unexamined: "depth" }),
    ]),
  );
  expect(summary).toMatchObject({ applicable: 2, examined: 1 });
});

test("a run that was cut off says so, lasts to the end of its last exchange, and claims no level", () => {
  const report = foldRun([
    started,
    found,
    exchange("x1", 100, 5_000, true),
    exchange("x2", 200, 50),
    ...checked(basics),
  ]);
  expect(report).toMatchObject({
    ending: "cut-off",
    duration_ms: 5_100,
    outcome: "inconclusive",
    conformanceLevel: null,
    levelBecause: "the run was cut off",
    summary: { workingMessages: 1, total: 2 },
  });
  expect(foldRun([started])).toMatchObject({ ending: "cut-off", duration_ms: 0, conformanceLevel: null });
});

test("an interrupted run keeps what it found, also when it says why", () => {
  const report = foldRun(runOf(basics, { ending: "interrupted", message: "stopped by Ctrl-C" }));
  expect(report).toMatchObject({
    ending: "interrupted",
    message: "stopped by Ctrl-C",
    outcome: "inconclusive",
    conformanceLevel: null,
    levelBecause: "stopped by Ctrl-C",
    summary: { total: 2 },
  });
});

test.each([
  ["unreachable", "the agent did not answer"],
  ["no-card", "Assay found no card"],
  ["login-required", "the agent asks for a login"],
  ["no-usable-interface", "Assay cannot test any interface of the card"],
] as const)("no level is given when the run ended with %s, whatever was looked at before", (ending, because) => {
  const results = [result("CARD-001", { category: "agent-card", verdict: "fail" })];
  expect(foldRun(runOf(results, { ending }))).toMatchObject({ conformanceLevel: null, levelBecause: because });
  const told = foldRun(runOf(results, { ending, message: "HTTP 404 at /.well-known", hint: "Try --card." }));
  expect(told).toMatchObject({
    conformanceLevel: null,
    levelBecause: "HTTP 404 at /.well-known",
    message: "HTTP 404 at /.well-known",
    hint: "Try --card.",
  });
});

test("a failure that holds others up is one root cause, told in its own words", () => {
  const blocked = (id: string, on = jsonrpc) => result(id, { verdict: "blocked", rootCause: "GET-002", interface: on });
  const report = foldRun(
    runOf([
      result("GET-002", { verdict: "fail", message: "-32603 for an unknown task", interface: jsonrpc }),
      result("GET-002", { verdict: "fail", message: "UNKNOWN for an unknown task", interface: grpc }),
      blocked("GET-003"),
      blocked("GET-004"),
      blocked("GET-003", grpc),
    ]),
  );
  expect(report.rootCauses).toEqual([
    { test: "GET-002", dialect: "1.0", message: "-32603 for an unknown task", interface: jsonrpc, blocks: 2 },
    { test: "GET-002", dialect: "1.0", message: "UNKNOWN for an unknown task", interface: grpc, blocks: 1 },
  ]);
});

test("a failure of the card that holds up every interface is counted once", () => {
  const blocked = [jsonrpc, rest, grpc].map((on) =>
    result("SEND-001", { verdict: "blocked", rootCause: "CARD-004", message: "held up", interface: on }),
  );
  const report = foldRun(
    runOf([result("CARD-004", { category: "agent-card", verdict: "fail", message: "no url" }), ...blocked]),
  );
  expect(report.rootCauses).toEqual([{ test: "CARD-004", dialect: "1.0", message: "no url", blocks: 3 }]);
});

test("a root cause whose own result was lost is told in the words of what it holds up", () => {
  const lost = result("GET-003", { verdict: "blocked", rootCause: "GET-002", message: "no task", interface: rest });
  expect(foldRun([started, found, ...checked([lost])]).rootCauses).toEqual([
    { test: "GET-002", dialect: "1.0", message: "no task", interface: rest, blocks: 1 },
  ]);
});

test("results stand by rule, then as the card lists its interfaces; what is about none comes first", () => {
  const older = { ...jsonrpc, dialect: "0.3" };
  const report = foldRun(
    runOf([
      result("LIST-002", { interface: grpc }),
      result("LIST-001", { interface: older }),
      result("LIST-001", { interface: grpc }),
      result("LIST-001", { interface: jsonrpc }),
      result("LIST-001"),
      result("LIST-001", { interface: rest }),
    ]),
  );
  expect(
    report.categories.lifecycle.map(({ test: id, interface: on }) => `${id} ${on?.binding} ${on?.dialect}`),
  ).toEqual([
    "LIST-001 undefined undefined",
    "LIST-001 JSONRPC 1.0",
    "LIST-001 HTTP+JSON 1.0",
    "LIST-001 GRPC 1.0",
    "LIST-001 JSONRPC 0.3",
    "LIST-002 GRPC 1.0",
  ]);
});

test("whatever finishes first, the report is the same; and its numbers add up", () => {
  const anyResult: fc.Arbitrary<ConformanceResult> = fc
    .record({
      id: fc.constantFrom("A-1", "A-2", "B-1", "SEND-001"),
      on: fc.constantFrom(undefined, jsonrpc, rest, grpc),
      verdict: fc.constantFrom(...verdictNames),
    })
    .map(({ id, on, verdict }) => result(id, { verdict, ...(on && { interface: on }), rootCause: "A-1" }));
  const key = ({ test: id, interface: on }: ConformanceResult) => `${id} ${on?.binding}`;
  const distinct = fc.uniqueArray(anyResult, { selector: key, maxLength: 16 });
  fc.assert(
    fc.property(
      distinct.chain((results) =>
        fc.tuple(fc.constant(results), fc.shuffledSubarray(results, { minLength: results.length })),
      ),
      ([results, shuffled]) => {
        const report = foldRun(runOf(results));
        expect(foldRun(runOf(shuffled))).toEqual(report);
        const { total, passed, failed, skipped } = report.summary;
        expect(passed + failed + skipped).toBe(total);
        expect(resultsOf(report)).toHaveLength(total);
      },
    ),
  );
});

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import eventSchema from "../../schemas/event.json" with { type: "json" };
import reportSchema from "../../schemas/report.json" with { type: "json" };
import { type ConformanceReport, conformanceLevels, conformanceOutcomes, scopes } from "./document.ts";
import {
  comparedSubjects,
  comparisonOutcomes,
  depths,
  type ExchangeRecorded,
  lifecycleAnswers,
  type RunEvent,
  runEndings,
  runSubjects,
  waitsFor,
} from "./events.ts";
import { foldRun } from "./fold.ts";
import { categories, type RuleLevel, subjects } from "./result.ts";
import { basics, checked, exchange, finished, found, grpc, jsonrpc, result, runOf, started } from "./run.fixture.ts";
import { troubleCodes } from "./trouble.ts";
import { type Unexamined, verdictNames } from "./verdict.ts";

// Not strict about types: `category` is described in one place and narrowed in another, which does not repeat its type.
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
const isReport = ajv.compile(reportSchema);
const isEvent = ajv.compile(eventSchema);

const problemsOf = (validate: typeof isReport, value: unknown): string[] =>
  validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);

const everything: RunEvent[] = [
  {
    ...started,
    filtered: true,
    redacted: true,
    ignoreKnownSdk: true,
    asked: { "--depth": "quick" },
    resumes: { run: "before", at: started.at, results: 2, workingMessages: 3, duration_ms: 12.5 },
  },
  {
    ...found,
    cardDigest: "abc",
    leftOut: [{ interface: grpc, because: "a binding that is not spoken", forced: true }],
  },
  { event: "situation-started", situation: "send", asks: "send a message", interface: jsonrpc },
  {
    event: "situation-finished",
    situation: "send",
    interface: jsonrpc,
    ended: "time-over",
    because: "it was still running after 10 s",
    requests: 2,
    runs: [
      { exit: 0, output: "hi", errors: "", dropped: 0, duration_ms: 12.5 },
      { signal: "SIGKILL", output: "", errors: "oh", dropped: 7, duration_ms: 10_000 },
    ],
  },
  { event: "sdk-recognised", name: "a2a-python", version: "1.3.0", because: "stated: a2a-sdk 1.3.0 (Python)" },
  { event: "planned", checks: 8, rules: 7, workingMessages: 8, withoutCheck: 12 },
  { event: "estimated", perMessageMs: 6100.5, totalMs: 50_000 },
  {
    event: "learned",
    prompts: [
      { parts: [{ text: "hello" }], source: "plain", answer: "message", tookMs: 12, shows: ["message"] },
      {
        parts: [{ data: { text: "count" }, mediaType: "application/json" }],
        source: "example",
        answer: "task",
        tookMs: 2_100,
        state: "TASK_STATE_COMPLETED",
        artifacts: 1,
        history: 2,
        shows: ["task", "slow", "data"],
      },
    ],
  },
  { event: "observing", what: "a stream of a task", interface: jsonrpc },
  {
    event: "observed",
    what: "a stream of a task",
    interface: jsonrpc,
    from: 120,
    to: 5_300,
    waits: [{ for: "due", from: 300, to: 5_300 }],
  },
  { event: "lifecycle-seen", interface: jsonrpc, answer: "completed" },
  {
    event: "versions-compared",
    older: { ...jsonrpc, dialect: "0.3" },
    newer: jsonrpc,
    comparisons: [
      { subject: "card", is: "same" },
      { subject: "state", is: "differs", message: "$.status.state differs", evidence: ["x1"] },
    ],
  },
  { event: "check-started", test: "SEND-001", title: "an answer is a task or a message", interface: jsonrpc },
  exchange("x1", 100, 5_000, true),
  { event: "note", text: "10.0.0.1 was not contacted" },
  ...checked([
    ...basics,
    ...verdictNames.map((verdict, index) => result(`LIST-00${index}`, { verdict, interface: grpc })),
    result("GET-001", {
      verdict: "fail",
      message: "-32603",
      duration_ms: 12.5,
      info: "answered in 3 ms",
      warning: "no details",
      sent: "{}",
      saw: "{}",
      want: "-32001",
      remedy: "catch it",
      operation: "GetTask",
      answer: "-32603",
      place: { event: 2, path: "$.error.code" },
      compared: {
        part: "response",
        ends: [
          { end: "agent", exchanges: ["x2"], shows: "HTTP 404" },
          { end: "client", exchanges: ["x1"], shows: "HTTP 502" },
        ],
        header: "Content-Type",
        status: true,
        place: { event: 2, path: "$.error.code" },
      },
      rootCause: "GET-000",
      unexamined: "unstable",
      enable: "--depth full",
      trouble: { code: "gateway", status: 504, seconds: 3.1 },
      evidence: ["x1"],
      repeat: "curl -s http://agent.test/",
      ambiguity: ["AMB-08"],
      disputed: true,
      expected: "fixed next month",
    }),
  ]),
  {
    ...finished,
    slowedDown: { turnedAway: 14, status: 429, requestsPerSecond: 5.2 },
    message: "done",
    hint: "nothing",
  },
];

test.each<[string, RunEvent[]]>([
  ["of a whole run", everything],
  ["of a run without a result", runOf([])],
  ["of a run that was cut off", everything.slice(0, 10)],
  ["of a run of which only the beginning was written", [started]],
  [
    "of what crossed between two",
    [
      { ...started, subject: "pair" },
      ...runOf(basics).slice(1, -1),
      ...checked([result("SEND-021", { verdict: "fail", party: "client" })]),
      finished,
    ],
  ],
  ["of a run that found nobody", [started, { ...finished, ending: "unreachable", message: "Cannot reach it." }]],
])("the report %s keeps its schema", (_, events) => {
  expect(problemsOf(isReport, foldRun(events))).toEqual([]);
});

test("a report with its evidence keeps its schema", () => {
  const { event: _, ...recorded } = exchange("x1", 100, 5_000, true) as ExchangeRecorded;
  const exchanges = [{ ...recorded, operation: "SendMessage", during: "a message and its task" }];
  expect(problemsOf(isReport, { ...foldRun(everything), exchanges } satisfies ConformanceReport)).toEqual([]);
});

test("every event keeps its schema, also after it was written down", () => {
  for (const event of everything) {
    expect(problemsOf(isEvent, event)).toEqual([]);
    expect(problemsOf(isEvent, JSON.parse(JSON.stringify(event)))).toEqual([]);
  }
});

const withResult = (change: object): object => {
  const report = foldRun(runOf(basics));
  const agentCard = [{ ...report.categories.agentCard[0], ...change }];
  return { ...report, categories: { ...report.categories, agentCard } };
};

const { levelBecause: _left, ...withoutReason } = foldRun(runOf(basics));
test.each<[string, object, string]>([
  ["without a member", withoutReason, " must have required property 'levelBecause'"],
  ["with a member of its own", { ...foldRun(runOf(basics)), score: 97 }, " must NOT have additional properties"],
  ["with another level", { ...foldRun(runOf(basics)), conformanceLevel: "gold" }, "/conformanceLevel must be equal to"],
  ["with a date of its own", { ...foldRun(runOf(basics)), testDate: "yesterday" }, "/testDate must match pattern"],
  ["with an unknown status", withResult({ status: "ok" }), "/categories/agentCard/0/status must be equal to one of"],
  ["with a status its verdict has not", withResult({ status: "skip" }), "/categories/agentCard/0/status must be equal"],
  ["with an unknown verdict", withResult({ verdict: "maybe" }), "/categories/agentCard/0/verdict must be equal to"],
  ["with a result in the wrong place", withResult({ category: "interop" }), "/categories/agentCard/0/category must be"],
  ["with evidence that is no list", withResult({ evidence: "x1" }), "/categories/agentCard/0/evidence must be array"],
])("a report %s is refused", (_, report, problem) => {
  expect(problemsOf(isReport, report)).toContainEqual(expect.stringContaining(problem));
});

test.each<[string, object]>([
  ["nobody knows", { event: "coffee-break" }],
  ["without its time", { ...finished, at: undefined }],
  ["that says more than it may", { event: "note", text: "hello", secret: "hunter2" }],
  ["with an unknown ending", { ...finished, ending: "cut-off" }],
])("an event %s is refused", (_, event) => {
  expect(problemsOf(isEvent, JSON.parse(JSON.stringify(event)))).not.toEqual([]);
});

test("the schemas and the types name the same words", () => {
  const { properties, $defs } = reportSchema;
  const results = $defs.result.properties;
  // A record has the compiler see that no word of the type is missing here.
  const words = <Word extends string>(all: Record<Word, true>): string[] => Object.keys(all);
  expect(results.verdict.enum).toEqual(verdictNames);
  expect($defs.trouble.properties.code.enum).toEqual(troubleCodes);
  expect(results.category.enum).toEqual(Object.values(categories));
  expect(results.tags.items.enum).toEqual([...Object.values(categories), ...subjects]);
  expect(Object.keys(properties.categories.properties)).toEqual(Object.keys(categories));
  expect(properties.conformanceLevel.enum).toEqual([...conformanceLevels, null]);
  expect($defs.outcome.enum).toEqual(conformanceOutcomes);
  expect(properties.scope.enum).toEqual(scopes);
  expect(properties.subject.enum).toEqual(runSubjects);
  expect($defs.depth.enum).toEqual(depths);
  expect(results.level.enum).toEqual(
    words<RuleLevel>({ MUST: true, MUST_NOT: true, SHOULD: true, SHOULD_NOT: true, MAY: true }),
  );
  expect(results.unexamined.enum).toEqual(
    words<Unexamined>({
      prompt: true,
      credentials: true,
      login: true,
      payment: true,
      egress: true,
      webhook: true,
      depth: true,
      budget: true,
      filter: true,
      rude: true,
      unstable: true,
      "endless-stream": true,
      "not-triggered": true,
      prerequisite: true,
      declined: true,
      interrupted: true,
    }),
  );
  expect(properties.ending.enum).toEqual([...runEndings, "cut-off"]);
  expect(eventSchema.$defs.runFinished.properties.ending.enum).toEqual(runEndings);
  expect(eventSchema.$defs.lifecycleSeen.properties.answer.enum).toEqual(lifecycleAnswers);
  const { subject, is } = reportSchema.$defs.comparisons.items.properties;
  expect([subject.enum, is.enum]).toEqual([comparedSubjects, comparisonOutcomes]);
  expect(eventSchema.$defs.observed.properties.waits.items.properties.for.enum).toEqual(waitsFor);
  expect(eventSchema.oneOf).toHaveLength(
    words<RunEvent["event"]>({
      "run-started": true,
      "agent-found": true,
      "situation-started": true,
      "situation-finished": true,
      planned: true,
      estimated: true,
      learned: true,
      observing: true,
      observed: true,
      "lifecycle-seen": true,
      "skill-tried": true,
      "peer-tried": true,
      "versions-compared": true,
      "sdk-recognised": true,
      "check-started": true,
      exchange: true,
      "check-finished": true,
      note: true,
      "run-finished": true,
    }).length,
  );
});

test("every member that is ours is described", () => {
  const silent: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "properties" && (node as { additionalProperties?: unknown }).additionalProperties === false)
        for (const [name, member] of Object.entries(value as Record<string, object>))
          if (!("description" in member) && !("$ref" in member)) silent.push(`${path}/${name}`);
      walk(value, `${path}/${key}`);
    }
  };
  walk(reportSchema, "report");
  walk(eventSchema, "event");
  expect(silent).toEqual([]);
});

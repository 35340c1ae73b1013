import type { ConformanceResult, HarEntry } from "@assay/suite/report";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import suiteSchema from "../../../../suite/schemas/report.json" with { type: "json" };
import schema from "../../../schemas/acts-report.schema.json" with { type: "json" };
import type { ActsFile, Test } from "../model.ts";
import type { TestOutcome, Verdict } from "./outcome.ts";
import { type ActsReport, reportOf } from "./report.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
ajv.addSchema(suiteSchema);
const isReport = ajv.compile(schema);

const problemsOf = (value: unknown): string[] =>
  isReport(JSON.parse(JSON.stringify(value)))
    ? []
    : isReport.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);

const at = { file: "t.acts.yaml", line: 3, column: 5 };
const failure = { step: "send", message: "expected 1, got 2", more: ["b: expected 3, got 4"], at };
const whole = {
  ...failure,
  path: "task.id",
  expected: "1",
  actual: "2",
  sent: "SendMessage {}",
  saw: "HTTP 200 {}",
  exchange: "spec/x1",
  repeat: "curl -s http://agent.test/",
};

const outcome = (verdict: Verdict, more: Partial<TestOutcome> = {}): TestOutcome => ({
  id: "T-1",
  name: "a test",
  level: "must",
  row: "rest/T-1",
  transport: "rest",
  run: "main",
  verdict,
  durationMs: 12,
  steps: [{ id: "send", verdict: "pass", durationMs: 3, exchanges: ["spec/x1"] }],
  rules: [{ rule: "suite-variable" }, { rule: "file-parts", at }],
  notes: ["at the 2. attempt"],
  at,
  ...more,
});

function report(outcomes: readonly TestOutcome[], traffic: readonly ConformanceResult[] = []): ActsReport {
  // A report reads nothing else of a file and a test.
  const file = { file: "t.acts.yaml", actsVersion: "1.0", specVersion: "1.0" } as ActsFile;
  const tested = [{ id: "s", name: "a suite", file, tests: [{ test: {} as Test, outcomes }] }];
  return reportOf(tested, {
    agentUrl: "http://agent.test",
    agentName: "Agent",
    agentVersion: "1",
    testDate: "2026-11-15T08:14:02.000Z",
    version: "0.1.0",
    ending: "done",
    durationMs: 1_234.5,
    traffic,
    exchanges: new Map([["spec/x1", { request: {}, response: {} } as HarEntry]]),
    notes: ["a task was left behind"],
  });
}

const seen: ConformanceResult = {
  test: "CTX-018",
  category: "lifecycle",
  status: "fail",
  verdict: "fail",
  level: "MUST",
  title: "a title",
  section: "3.4",
  dialect: "1.0",
  specUrl: "https://a2a-protocol.org/",
  message: "another context",
  evidence: ["spec/x1"],
};

test.each<[string, ActsReport]>([
  [
    "on all that can be said of a test",
    report((["pass", "skip", "defect", "error"] as const).map((each) => outcome(each, { reason: "why" }))),
  ],
  [
    "on a failure",
    report([outcome("fail", { failure: whole, specRef: "§3.1", run: "auth" }), outcome("fail", { failure })]),
  ],
  ["with what was seen in the traffic", report([outcome("pass")], [seen])],
  ["on nothing", report([])],
])("the report %s keeps its schema", (_, document) => {
  expect(problemsOf(document)).toEqual([]);
});

test.each<[string, object, string]>([
  [
    "a verdict that there is not",
    report([{ ...outcome("pass"), verdict: "blocked" as Verdict }]),
    "/suites/0/tests/0/verdict must be equal to one of the allowed values",
  ],
  ["a member that nobody knows", { ...report([]), score: 7 }, " must NOT have additional properties"],
  ["no rules", { ...report([]), rules: undefined }, " must have required property 'rules'"],
  [
    "a failure without its place",
    report([outcome("fail", { failure: { ...failure, at: undefined as never } })]),
    "/suites/0/tests/0/failure must have required property 'at'",
  ],
])("the schema refuses %s", (_, document, problem) => {
  expect(problemsOf(document)).toContain(problem);
});

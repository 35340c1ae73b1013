import type { Comparison } from "@assay/suite/report";
import { expect, test } from "vitest";
import { comparisonMarkdown } from "./comparison.ts";

const state = {
  run: "2026-11-15T08-14-02",
  testDate: "2026-11-15T08:14:02.000Z",
  agentUrl: "http://agent.test",
  agentName: "Weather",
  agentVersion: "1",
  outcome: "conformant",
  conformanceLevel: "partial",
  ruleSet: "1.0.1-r1",
  examined: 10,
  applicable: 20,
} as const;

const comparison: Comparison = {
  before: state,
  after: { ...state, outcome: "not-conformant", conformanceLevel: null },
  changes: [
    { change: "broken", test: "LIST-003", title: "t", places: ["JSON-RPC"], message: "<script> | `x` ::error::" },
    { change: "fixed", test: "GET-001", title: "what it asks", places: ["card"] },
  ],
  coverage: { gained: ["A-1"], lost: [] },
  newFailures: 1,
  regressed: true,
};

test("what became worse comes first, and the text of agents stays text", () => {
  const text = comparisonMarkdown(comparison);
  expect(text).toMatch(/^### 1 new failure, 1 fixed\n/);
  expect(text.indexOf("LIST-003")).toBeLessThan(text.indexOf("GET-001"));
  expect(text).not.toContain("<script>");
  expect(text).toContain("Rules examined that were not before: 1.");
});

test("says when it is better, and when nothing changed", () => {
  const [, fixed] = comparison.changes;
  expect(comparisonMarkdown({ ...comparison, newFailures: 0, regressed: false, changes: [fixed!] })).toMatch(
    /^### 1 failure fixed, none new\n/,
  );
  expect(comparisonMarkdown({ ...comparison, newFailures: 0, regressed: false, changes: [] })).toMatch(
    /^### No new failures\n/,
  );
});

test("a rule with different findings on two interfaces counts once, as in the title", () => {
  const [broken] = comparison.changes;
  const changes = [broken!, { ...broken!, places: ["gRPC"], message: "another message" }];
  expect(comparisonMarkdown({ ...comparison, changes })).toMatch(
    /^### 1 new failure\n.*\*\*Broken: passed before\*\* \(1\)/s,
  );
});

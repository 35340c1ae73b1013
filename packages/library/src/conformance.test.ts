import { AssertionError } from "node:assert";
import { expect, test } from "vitest";
import { basics, finished, found, jsonRpc, planned, reportOf, result, started } from "../../cli/src/run.fixture.ts";
import { assertConformant, conformanceMatchers } from "./conformance.ts";

const good = reportOf([started, found, planned, ...basics, finished]);
const broken = reportOf([
  started,
  found,
  planned,
  ...basics,
  result("ERR-020", {
    verdict: "fail",
    interface: jsonRpc,
    message: "GetTask answers -32603 for an unknown task \u001b[31m",
    saw: '{"error":{"code":-32603}}',
    remedy: "Answer with TaskNotFoundError.",
    repeat: "curl -s http://agent.test/",
  }),
  finished,
]);

const complaint = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof AssertionError) return error.message;
    throw error;
  }
  return "";
};

test("says nothing about an agent that conforms", () => {
  expect(complaint(() => assertConformant(good))).toBe("");
});

test("says what is broken, what was seen and what to do, in text that is safe to print", () => {
  const text = complaint(() => assertConformant(broken));
  expect(text).toContain("not conformant");
  expect(text).toContain("1. ERR-020 JSON-RPC: GetTask answers -32603 for an unknown task");
  expect(text).toContain('saw        {"error":{"code":-32603}}');
  expect(text).toContain("fix        Answer with TaskNotFoundError.");
  expect(text).toContain("reproduce  curl -s http://agent.test/");
  expect(text).not.toContain("\u001b");
});

test("holds the report to what is expected beside it", () => {
  expect(complaint(() => assertConformant(good, { minExamined: 100.1 }))).toContain("--min-examined 100.1");
});

test("is a matcher too", () => {
  expect(conformanceMatchers.toBeConformant(good).pass).toBe(true);
  const { pass, message } = conformanceMatchers.toBeConformant(broken);
  expect(pass).toBe(false);
  expect(message()).toContain("ERR-020");
  expect(conformanceMatchers.toBeConformant(good).message()).toContain("expected not to be");
});

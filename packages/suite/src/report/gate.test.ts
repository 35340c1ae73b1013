import { expect, test } from "vitest";
import type { RunFinished } from "./events.ts";
import { foldRun } from "./fold.ts";
import { exitCodeOf, type FailOn } from "./gate.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, checked, found, grpc, jsonrpc, result, runOf, started } from "./run.case.ts";

const exit = (results: readonly ConformanceResult[], failOn?: FailOn, ending?: Partial<RunFinished>): number =>
  exitCodeOf(foldRun(runOf([...basics, ...results], ending)), failOn);

test("0: nothing failed, and nothing that is claimed was held up", () => {
  const results = [
    result("LIST-001", { verdict: "not-applicable" }),
    result("LIST-002", { verdict: "not-examined", unexamined: "prompt" }),
    result("LIST-003", { verdict: "error" }),
    result("LIST-004", { level: "SHOULD", warning: "slow" }),
  ];
  expect(exit(results)).toBe(0);
});

test("1: a MUST is broken", () => {
  expect(exit([result("LIST-003", { verdict: "fail" })])).toBe(1);
});

test("1: something that is claimed was held up", () => {
  expect(exit([result("LIST-003", { verdict: "blocked", rootCause: "LIST-001" })])).toBe(1);
});

test("a warning decides only with --fail-on should, and never for a MAY", () => {
  const should = [result("CACHE-001", { level: "SHOULD", warning: "no Cache-Control" })];
  const must = [result("LIST-003", { warning: "only by a lenient reading" })];
  const may = [result("EXT-001", { level: "MAY", warning: "odd" })];
  expect([exit(should), exit(should, "should"), exit(must, "should"), exit(may, "should")]).toEqual([0, 1, 1, 0]);
});

test("--fail-on never lets every finding pass, but not our own errors", () => {
  expect(exit([result("LIST-003", { verdict: "fail" })], "never")).toBe(0);
  const nothingButErrors = foldRun(runOf([result("CARD-001", { verdict: "error" })]));
  expect(exitCodeOf(nothingButErrors, "never")).toBe(3);
});

test.each(["unreachable", "no-card", "login-required", "no-interface"] as const)("2: %s", (ending) => {
  expect(exit([], undefined, { ending, message: "Nothing answers." })).toBe(2);
  expect(exit([result("CARD-001", { verdict: "fail" })], undefined, { ending })).toBe(2);
});

test("3: all that was tried broke down on our side", () => {
  const results = [
    result("CARD-001", { verdict: "error" }),
    result("SEND-001", { verdict: "not-examined", unexamined: "depth" }),
  ];
  expect(exitCodeOf(foldRun(runOf(results)))).toBe(3);
});

test("a run that was cut off is our own error, unless it found a failure before", () => {
  expect(exitCodeOf(foldRun([started, found, ...checked(basics)]))).toBe(3);
  expect(exitCodeOf(foldRun([started, found, ...checked([result("LIST-003", { verdict: "fail" })])]))).toBe(1);
});

test("130: interrupted, whatever was found", () => {
  expect(exit([result("LIST-003", { verdict: "fail" })], undefined, { ending: "interrupted" })).toBe(130);
});

test("a contested or expected failure decides nothing, nor does what it holds up", () => {
  const heldUp = result("LIST-004", { verdict: "blocked", rootCause: "LIST-003", interface: jsonrpc });
  const contested = result("LIST-003", { verdict: "fail", disputed: true, interface: jsonrpc });
  const expected = result("LIST-003", { verdict: "fail", expected: "fixed next month", interface: jsonrpc });
  expect(exit([contested, heldUp])).toBe(0);
  expect(exit([expected, heldUp])).toBe(0);
  expect(exit([expected, result("LIST-003", { verdict: "fail", interface: grpc })])).toBe(1);
});

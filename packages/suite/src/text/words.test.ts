import { expect, test } from "vitest";
import { foldRun } from "../report/fold.ts";
import { basics, jsonrpc, rest, result, runOf } from "../report/run.fixture.ts";
import { countsOf, findingsOf, resultCounts } from "./words.ts";

const warning = "no Cache-Control on the card";
const report = foldRun(
  runOf([
    ...basics,
    ...[jsonrpc, rest].map((on) => result("CACHE-001", { warning, interface: on })),
    result("LIST-003", { verdict: "fail", interface: jsonrpc }),
    result("GET-001", { verdict: "not-examined", interface: jsonrpc }),
  ]),
);

test("people see results with warnings as a number of their own; in the document they pass", () => {
  const { total, passed, failed, skipped, warnings } = report.summary;
  expect({ passed, warnings }).toEqual({ passed: basics.length + 2, warnings: 2 });
  expect(total).toBe(passed + failed + skipped);
  expect(countsOf(resultCounts(report))).toBe(`${basics.length} passed, 2 with warnings, 1 failed, 1 skipped`);
  expect(countsOf({ passed: 3, warned: 1, failed: 0, skipped: 0 })).toBe(
    "2 passed, 1 with a warning, 0 failed, 0 skipped",
  );
  expect(countsOf({ passed: 3, warned: 0, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed, 0 skipped");
});

test("the same warning on two interfaces is one warning to fix", () => {
  expect(findingsOf(report)).toBe("1 rule broken, 1 warning");
});

import { expect, test } from "vitest";
import { jsonRpc, reportOf, rest, result, started } from "../run.fixture.ts";
import { sinceLastRun, sinceLines } from "./since-last-run.ts";

const run = (...failing: string[]) =>
  reportOf([
    started,
    ...["A-1", "A-2", "A-3"].map((id) => result(id, failing.includes(id) ? { verdict: "fail" } : {})),
  ]);

test.each([
  [["A-1"], ["A-2"], "Since the last run: newly failing A-2; fixed A-1."],
  [["A-1", "A-2"], [], "Since the last run: fixed A-1, A-2."],
  [[], ["A-3"], "Since the last run: newly failing A-3."],
  [["A-1"], ["A-1"], "Since the last run: no change."],
])("from failing %j to failing %j", (before, after, says) => {
  expect(sinceLines(sinceLastRun(run(...before), run(...after)))).toEqual([says]);
});

const unexamined = reportOf([started, result("A-1", { verdict: "not-examined" })]);

test("a rule that is no longer examined is not fixed", () => {
  expect(sinceLastRun(run("A-1"), unexamined)).toEqual({ fixed: [], broken: [], found: [] });
});

test("nor is one that is examined, and holds, elsewhere only", () => {
  const on = (overRest: "fail" | "not-examined" | "pass") =>
    reportOf([started, result("A-1", { interface: jsonRpc }), result("A-1", { interface: rest, verdict: overRest })]);
  expect(sinceLastRun(on("fail"), on("not-examined")).fixed).toEqual([]);
  expect(sinceLastRun(on("fail"), on("pass")).fixed).toEqual(["A-1"]);
});

test("what fails now and was not examined then is not newly failing", () => {
  expect(sinceLines(sinceLastRun(unexamined, run("A-1")))).toEqual([
    "Since the last run: failing, but not examined before: A-1.",
  ]);
});

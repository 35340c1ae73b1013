import { expect, test } from "vitest";
import { reportOf, result, started } from "../run.case.ts";
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

test("a rule that is no longer examined is not fixed", () => {
  const unexamined = reportOf([started, result("A-1", { verdict: "not-examined" })]);
  expect(sinceLastRun(run("A-1"), unexamined)).toEqual({ fixed: [], broken: [] });
});

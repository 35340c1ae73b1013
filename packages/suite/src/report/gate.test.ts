import { expect, test } from "vitest";
import type { RunEnding } from "./events.ts";
import { foldRun } from "./fold.ts";
import { exitCodeOf, type Gates, shutGates } from "./gate.ts";
import type { ConformanceResult } from "./result.ts";
import { basics, result, runOf } from "./run.fixture.ts";

const reportOf = (results: readonly ConformanceResult[], ending: RunEnding = "done") =>
  foldRun(runOf([...basics, ...results], { ending }));
const broken = result("LIST-003", { verdict: "fail" });
const unexamined = result("LIST-003", { verdict: "not-examined", unexamined: "prompt" });
const warned = (level: ConformanceResult["level"]) => result("CACHE-001", { level, warning: "no Cache-Control" });

test.each<[string, readonly ConformanceResult[], Gates, string[]]>([
  ["no gate at all", [unexamined, warned("SHOULD")], {}, []],
  ["--fail-on must", [unexamined, warned("SHOULD")], { failOn: "must" }, []],
  ["a warning of a SHOULD", [warned("SHOULD")], { failOn: "should" }, ["--fail-on should: 1 warning"]],
  ["a warning of a MUST", [warned("MUST")], { failOn: "should" }, ["--fail-on should: 1 warning"]],
  ["a remark of a MAY", [warned("MAY")], { failOn: "should" }, []],
  [
    "a rule that was not examined",
    [unexamined],
    { failOn: "not-examined" },
    ["--fail-on not-examined: 1 of the 3 applicable rules was not examined"],
  ],
  ["nothing left open", [], { failOn: "not-examined" }, []],
  ["a level that is reached", [], { requireLevel: "full" }, []],
  ["a better level than asked for", [], { requireLevel: "minimal" }, []],
  ["a lower level", [unexamined], { requireLevel: "full" }, ["--require-level full: the level is partial"]],
  ["enough of the rules", [unexamined], { minExamined: 66 }, []],
  [
    "too few of the rules",
    [unexamined],
    { minExamined: 67 },
    ["--min-examined 67: 66 % of the applicable rules were examined"],
  ],
  ["a stale baseline", [], { staleBaseline: true }, ["the baseline lists failures that no longer occur"]],
])("%s", (_, results, gates, shut) => {
  const report = reportOf(results);
  expect(shutGates(report, gates)).toEqual(shut);
  expect(exitCodeOf(report, gates)).toBe(shut.length ? 1 : 0);
});

test("no level reaches no level", () => {
  const onlyCard = foldRun(
    runOf([basics[0]!]).map((event) => (event.event === "run-started" ? { ...event, depth: "card" } : event)),
  );
  expect(exitCodeOf(onlyCard)).toBe(0);
  expect(shutGates(onlyCard, { requireLevel: "minimal" })).toEqual([
    "--require-level minimal: there is no level (Assay examined only the card)",
  ]);
  expect(exitCodeOf(onlyCard, { requireLevel: "minimal" })).toBe(1);
});

test("gates change nothing but a 0", () => {
  const strictest: Gates = { failOn: "not-examined", requireLevel: "full", minExamined: 100, staleBaseline: true };
  const codes = (["agent-gone", "interrupted"] as const).map((ending) =>
    exitCodeOf(reportOf([unexamined], ending), strictest),
  );
  expect([exitCodeOf(reportOf([broken]), strictest), ...codes]).toEqual([1, 2, 130]);
});

test("--fail-on never turns a 1 into a 0, whichever gate made it, and nothing else", () => {
  const never: Gates = { failOn: "never", requireLevel: "full", staleBaseline: true };
  expect(exitCodeOf(reportOf([broken]), never)).toBe(0);
  expect(exitCodeOf(reportOf([unexamined]), never)).toBe(0);
  expect(exitCodeOf(reportOf([broken], "agent-gone"), never)).toBe(2);
  expect(exitCodeOf(reportOf([], "interrupted"), never)).toBe(130);
  expect(exitCodeOf(foldRun(runOf([result("CARD-001", { verdict: "error" })])), never)).toBe(3);
});

test("--fail-on new accepts the failures of the last run, and nothing else", () => {
  const gates = (newFailures: number | undefined): Gates => ({ failOn: "new", newFailures });
  expect(exitCodeOf(reportOf([broken]), gates(0))).toBe(0);
  expect(exitCodeOf(reportOf([broken]), gates(1))).toBe(1);
  expect(shutGates(reportOf([broken]), gates(1))).toEqual(["--fail-on new: 1 new failure"]);
  // Without an earlier run, every failure is new.
  expect(exitCodeOf(reportOf([broken]), gates(undefined))).toBe(1);
  expect(exitCodeOf(reportOf([broken]), { ...gates(0), requireLevel: "full" })).toBe(1);
  expect(exitCodeOf(reportOf([broken], "agent-gone"), gates(0))).toBe(2);
});

import { describe, expect, test } from "vitest";
import { equivalenceOf, equivalenceText } from "./equivalence.ts";
import type { ComparedSubject, RunEvent, VersionComparison } from "./events.ts";
import { foldRun } from "./fold.ts";
import { exitCodeOf } from "./gate.ts";
import { basics, checked, finished, found, jsonrpc, started } from "./run.fixture.ts";

const older = { ...jsonrpc, dialect: "0.3" };

const compared = (...comparisons: VersionComparison[]): RunEvent => ({
  event: "versions-compared",
  older,
  newer: jsonrpc,
  comparisons,
});

const essential: readonly ComparedSubject[] = ["task from the older version", "task from 1.0", "state"];
const same = essential.map((subject): VersionComparison => ({ subject, is: "same" }));
const reportWith = (...events: RunEvent[]) => foldRun([started, found, ...checked(basics), ...events, finished]);

describe("a run with --equivalent", () => {
  test("exits with 0 if everything essential is the same", () => {
    const report = reportWith(compared(...same, { subject: "card", is: "not-compared", message: "no card" }));
    expect([equivalenceOf(report), exitCodeOf(report, { equivalent: true })]).toEqual(["equivalent", 0]);
  });

  test("exits with 1 if the versions differ, and only then", () => {
    const report = reportWith(compared(...same, { subject: "artifacts", is: "differs", message: "$.artifacts" }));
    expect([equivalenceOf(report), exitCodeOf(report, { equivalent: true }), exitCodeOf(report)]).toEqual([
      "different",
      1,
      0,
    ]);
    expect(equivalenceText(report)).toBe("the versions differ: artifacts (0.3 and 1.0)");
  });

  test("exits with 2 if no task could be compared, or nothing at all", () => {
    const [first, ...rest] = same;
    const open = reportWith(compared({ ...first!, is: "not-compared", message: "gone" }, ...rest));
    expect([equivalenceOf(open), exitCodeOf(open, { equivalent: true })]).toEqual(["unknown", 2]);
    expect(exitCodeOf(reportWith(), { equivalent: true })).toBe(2);
  });

  test("one pair of interfaces that differs is enough", () => {
    expect(equivalenceOf(reportWith(compared(...same), compared({ subject: "list", is: "differs" })))).toBe(
      "different",
    );
  });
});

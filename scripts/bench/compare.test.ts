import { expect, test } from "vitest";
import { changesBetween, lineOf } from "../../bench/src/results/compare.ts";
import { type BenchRow, cellOf, type ResultFile, readResults } from "../../bench/src/results/rows.ts";

const row = (samples: readonly number[], about: Partial<BenchRow> = {}): BenchRow => ({
  table: "Requests",
  ...cellOf({ name: "echo", column: "Assay", unit: "requests/s", better: "higher" }, samples),
  ...about,
});

const file = (rows: readonly BenchRow[], model = "a processor"): ResultFile => ({
  version: 1,
  results: [
    {
      ...{ subject: "server", command: "npm run bench -- server", commit: "0123abcd", date: "2026-11-17T20:00:00Z" },
      ...{ node: "20.20.0", machine: { cores: 2, model }, rows },
    },
  ],
});

/** The rows that are worse beyond noise, when one row changes. */
const regressions = (before: BenchRow, after: BenchRow): string[] =>
  changesBetween(file([before]), file([after]))
    .filter(({ isBeyondNoise }) => isBeyondNoise)
    .map(lineOf);

test("a fall within the noise of the rounds is no regression", () => {
  const noisy = [80, 90, 100, 110, 120];
  expect(regressions(row(noisy), row(noisy.map((value) => value * 0.85)))).toEqual([]);
});

test("the same fall with little noise is a regression, and is named with both values", () => {
  const steady = [99, 100, 100, 100, 101];
  expect(regressions(row(steady), row(steady.map((value) => value * 0.85)))).toEqual([
    "server · Requests · echo · Assay: 100 ± 0 → 85 ± 0 requests/s, 15 % worse",
  ]);
});

test("a fall beyond much noise is a regression, too", () => {
  const noisy = [80, 90, 100, 110, 120];
  expect(regressions(row(noisy), row(noisy.map((value) => value * 0.4)))).toHaveLength(1);
});

test("a steady fall of less than 5 % is no regression", () => {
  expect(regressions(row([100, 100, 100]), row([96, 96, 96]))).toEqual([]);
});

test("a time that grows is a regression, a time that shrinks is not", () => {
  const lower = { unit: "ms", better: "lower" } as const;
  expect(regressions(row([10, 10, 10], lower), row([12, 12, 12], lower))).toHaveLength(1);
  expect(regressions(row([12, 12, 12], lower), row([10, 10, 10], lower))).toEqual([]);
});

test("a single measurement needs a loss of more than a fifth", () => {
  expect(regressions(row([100]), row([85, 85, 85]))).toEqual([]);
  expect(regressions(row([100]), row([75, 75, 75]))).toHaveLength(1);
});

test("another server, and what has no direction, is not compared", () => {
  const shown = { better: "neither" } as const;
  expect(changesBetween(file([row([100], shown)]), file([row([10], shown)]))).toEqual([]);
});

test("results of different machines share only ratios", () => {
  const ratio = { name: "echo, ratio", unit: "ratio" };
  const [before, after] = [1, 0.5].map((factor) => [row([100 * factor]), row([0.8 * factor], ratio)]);
  const compared = (model: string): string[] =>
    changesBetween(file(before!), file(after!, model)).map((change) => change.after.name);
  expect(compared("another processor")).toEqual(["echo, ratio"]);
  expect(compared("a processor")).toEqual(["echo", "echo, ratio"]);
});

test("rows that only one of the files has are not compared", () => {
  expect(changesBetween(file([row([100])]), file([row([100], { name: "get" })]))).toEqual([]);
});

test("a change within noise says so", () => {
  const [change] = changesBetween(file([row([80, 100, 120])]), file([row([60, 75, 90])]));
  expect(lineOf(change!)).toBe(
    "server · Requests · echo · Assay: 100 ± 10 → 75 ± 7.50 requests/s, 25 % worse (within noise)",
  );
});

test("a file of another kind is refused with the command that writes one", () => {
  expect(() => readResults('{"schema":2}', "old.json")).toThrow(
    "old.json is not a result of npm run bench (version 1). Write one: npm run bench -- --json old.json",
  );
});

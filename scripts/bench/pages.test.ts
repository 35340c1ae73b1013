import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withTables } from "../../bench/src/results/page.ts";
import { readResults } from "../../bench/src/results/rows.ts";

const file = "docs/performance.json";
const results = readResults(readFileSync(file, "utf8"), file);
const pages = ["README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];
const measured = pages.filter((page) => readFileSync(page, "utf8").includes("<!-- bench "));

test("README and the page of performance have tables", () => {
  expect(measured).toEqual(expect.arrayContaining(["README.md", "docs/performance.md"]));
});

test.each(measured)("every number in the tables of %s is that of the last benchmark", (page) => {
  const text = readFileSync(page, "utf8");
  expect(text).toBe(withTables(text, results));
});

test("the page of performance shows every subject that was recorded", () => {
  const text = readFileSync("docs/performance.md", "utf8");
  const missing = results.results.filter(({ subject }) => !text.includes(`<!-- bench ${subject} -->`));
  expect(missing).toEqual([]);
});

test("README states no time, rate or size outside the table that the benchmark writes", () => {
  const prose = readFileSync("README.md", "utf8")
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/<!-- bench [\s\S]*?<!-- end -->/g, "");
  expect(
    prose.match(/\d[\d.,]*\s?(?:ms|s|seconds?|minutes?|MB|MiB|GB|%|times|requests|agents a minute)\b/g),
  ).toBeNull();
});

test("a changed number is written between the markers, and nothing else", () => {
  const row = { table: "Runs", name: "a", column: "time", unit: "s", value: 2, spread: null, better: "lower" } as const;
  const [known] = results.results;
  const one = { version: 1, results: [{ ...known!, subject: "suite", rows: [row] }] } as const;
  const page = "before\n<!-- bench suite -->\nold\n<!-- end -->\nafter\n";
  expect(withTables(page, one)).toContain(
    "**Runs**\n\n| s | time |\n| --- | --: |\n| a | 2 |\n\n<!-- end -->\nafter\n",
  );
  expect(withTables(withTables(page, one), one)).toBe(withTables(page, one));
  expect(withTables("no markers\n", one)).toBe("no markers\n");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { duties } from "../running/duties/index.ts";
import { defects } from "./defects.ts";
import { quirkRules } from "./rules.ts";

const page = readFileSync(new URL("../../../../../docs/acts.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| "));

test("docs/acts.md tells every rule, in the words of the code", () => {
  const told = Object.entries(quirkRules).map(([rule, { written, read }]) => `| \`${rule}\` | ${written} | ${read} |`);
  expect(told.filter((row) => !rows.includes(row))).toEqual([]);
});

test("docs/acts.md tells every defective test, with the reason", () => {
  const told = Object.entries(defects).map(([id, { reason }]) => `| ${id} | ${reason} |`);
  expect(told.filter((row) => !rows.includes(row))).toEqual([]);
});

test("docs/acts.md tells what is looked at besides the steps", () => {
  const told = Object.entries(duties).map(([id, { says }]) => `| ${id} | ${says} |`);
  expect(told.filter((row) => !rows.includes(row))).toEqual([]);
});

test("and it tells of none that is not there", () => {
  const ids = rows.flatMap((row) => /^\| ([A-Z]+-[A-Z]+-\d+) \|/.exec(row)?.[1] ?? []);
  expect(ids.filter((id) => !Object.hasOwn(defects, id) && !Object.hasOwn(duties, id))).toEqual([]);
  const rules = rows.flatMap((row) => /^\| `([a-z-]+)` \| .* \| .* \|$/.exec(row)?.[1] ?? []);
  expect(rules.filter((rule) => !Object.hasOwn(quirkRules, rule))).toEqual([]);
});

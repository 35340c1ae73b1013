import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "@assay/suite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/traceability.md`, "utf8");

test("every rule that the page names is examined by a check", () => {
  const named = new Set(page.match(/\b(?:V\d\d-)?[A-Z]+-\d{3}\b/g));
  const examined = new Set(checks.map(({ id }) => id));
  expect(named.size).toBeGreaterThan(50);
  expect([...named].filter((id) => !examined.has(id))).toEqual([]);
});

test("what stands in the column of 0.1 is a rule of 0.1", () => {
  const rows = page.split("\n").filter((line) => /^\| \d\.\d /.test(line));
  const ofThen = rows.flatMap((line) => line.split("|")[3]?.match(/\b(?:V\d\d-)?[A-Z]+-\d{3}\b/g) ?? []);
  const inThen = new Set(checks.filter(({ dialects }) => dialects.includes("0.1")).map(({ id }) => id));
  expect(ofThen.length).toBeGreaterThan(20);
  expect(ofThen.filter((id) => !inThen.has(id))).toEqual([]);
});

test("every file that the page names is there", () => {
  const files = page.match(/\b(?:packages|e2e|docs|scripts|sdks)\/[\w./-]+\w\/?/g) ?? [];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => !existsSync(root + path))).toEqual([]);
});

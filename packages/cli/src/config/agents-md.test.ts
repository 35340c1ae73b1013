import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addToAgentsMd } from "./agents-md.ts";

const newFile = (): string => join(mkdtempSync(join(tmpdir(), "assay-agents-md-")), "AGENTS.md");

test("the file is written where there is none", () => {
  const file = newFile();
  expect(addToAgentsMd(file)).toMatch(/^Wrote /);
  expect(readFileSync(file, "utf8")).toMatch(/^# For coding agents\n\n## Test the A2A agent with Assay\n/);
});

test("the paragraph is added behind the user's own text, once", () => {
  const file = newFile();
  writeFileSync(file, "# Mine\n\nUse tabs.\n\n");
  expect(addToAgentsMd(file)).toMatch(/^Added a paragraph to /);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^# Mine\n\nUse tabs\.\n\n## Test the A2A agent with Assay\n/);
  expect(addToAgentsMd(file)).toMatch(/already has the paragraph/);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a folder in its place is named as the reason", () => {
  expect(() => addToAgentsMd(tmpdir())).toThrow("it is a directory");
});

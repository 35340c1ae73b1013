import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { missingFrom } from "./complete-answers.ts";

const artifact = (artifactId: string, ...texts: string[]): JsonObject => ({
  artifactId,
  parts: texts.map((text) => ({ text })),
});

const cases: [what: string, view: JsonObject[], other: JsonObject[], missing: string[]][] = [
  ["both show the same", [artifact("a", "1")], [artifact("a", "1")], []],
  ["this one shows more", [artifact("a", "1"), artifact("b", "2")], [artifact("a", "1")], []],
  ["the order differs", [artifact("b", "2"), artifact("a", "1")], [artifact("a", "1"), artifact("b", "2")], []],
  ["an artifact is missing", [artifact("a", "1")], [artifact("a", "1"), artifact("b", "2")], ["artifact b"]],
  ["a part is missing", [artifact("a", "1")], [artifact("a", "1", "2")], ["parts of artifact a"]],
  ["an artifact without an id cannot be looked for", [], [{ parts: [{ text: "1" }] }], []],
];

test.each(cases)("what a view of a task lacks: %s", (_what, view, other, missing) => {
  expect(missingFrom({ artifacts: view }, { artifacts: other })).toEqual(missing);
});

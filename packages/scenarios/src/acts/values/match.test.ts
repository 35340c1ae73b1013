import type { JsonValue } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { ActsPage } from "../reading/page.ts";
import { readExpectation } from "../reading/read-expectation.ts";
import { mismatches } from "./match.ts";

/** Returns differences as "path: expected …, got …". */
function judge(yaml: string, value: JsonValue | undefined): string[] {
  const page = new ActsPage("expected.yaml", yaml);
  const expectation = readExpectation(page, page.root!);
  expect(page.mistakes).toEqual([]);
  return mismatches(expectation, value, { fill: (each) => each }).map(
    ({ path, expected, actual }) => `${path}: expected ${expected}, got ${actual}`,
  );
}

/** [the expectation, a matching value, another value] */
const operators: [string, JsonValue | undefined, JsonValue | undefined][] = [
  ["7", 7, "7"],
  ["true", true, "true"],
  ["null", null, undefined],
  ["{ type: string }", "", 1],
  ["{ type: number }", 0, "0"],
  ["{ type: array }", [], {}],
  ["{ type: object }", {}, []],
  ['{ type: "null" }', null, undefined],
  ["{ exists: true }", null, undefined],
  ["{ absent: true }", undefined, null],
  ["{ contains: b }", "abc", "xyz"],
  ["{ starts_with: a }", "abc", "cba"],
  ["{ ends_with: c }", "abc", "cba"],
  ["{ matches: '^\\d+$' }", "12", "1x"],
  ["{ gte: 2 }", 2, 1],
  ["{ lte: 2 }", 2, 3],
  ["{ gt: 2 }", 3, 2],
  ["{ lt: 2 }", 1, 2],
  ["{ count: 1 }", [1], []],
  ["{ count_gte: 1 }", [1, 2], []],
  ["{ count_lte: 1 }", [], [1, 2]],
  ["{ one_of: [a, 1] }", 1, "1"],
  ["{ one_of: [{ a: 1 }, { b: 2 }] }", { b: 2 }, { a: 2 }],
  ["{ all_of: [{ contains: a }, { contains: b }] }", "ab", "a"],
  ["{ any_of: [{ absent: true }, { count: 0 }] }", [], [1]],
  ["{ not: { contains: a } }", "b", "a"],
  ["{ type: array, items: { id: { exists: true } } }", [{ id: 1 }], [{ id: 1 }, {}]],
  ["{ type: array, items: [{ id: 1 }] }", [{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }]],
  ["[1, { a: 2 }]", [1, { a: 2 }, 3], [1, { a: 3 }]],
  ["{ a: { b: 1 } }", { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
];

describe.each(operators)("%s", (yaml, fits, differs) => {
  test(`holds for ${JSON.stringify(fits)}`, () => expect(judge(yaml, fits)).toEqual([]));
  test(`does not hold for ${JSON.stringify(differs)}`, () => expect(judge(yaml, differs)).not.toEqual([]));
});

test("a member called like an operator is a member when its value is a map", () => {
  expect(judge("{ type: { type: string }, title: { type: string } }", { type: "x", title: "y" })).toEqual([]);
  expect(judge("{ type: { type: string } }", "x")).toEqual([': expected an object, got "x"']);
});

test("every difference is listed by its path", () => {
  const yaml = "{ task: { id: { type: string }, status: { state: DONE }, artifacts: [{ parts: { count: 1 } }] } }";
  expect(judge(yaml, { task: { id: 1, artifacts: [{ parts: [] }] } })).toEqual([
    "task.id: expected a value of type string, got 1",
    'task.status.state: expected "DONE", got nothing (it is absent)',
    "task.artifacts[0].parts: expected a list of 1, got []",
  ]);
});

test("a part with a file is seen as the grammar writes it, and the rule is told", () => {
  const page = new ActsPage("expected.yaml", "{ file: { name: { type: string }, mediaType: text/plain } }");
  const applied: string[] = [];
  const part = { raw: "eA==", filename: "x.txt", mediaType: "text/plain" };
  const found = mismatches(readExpectation(page, page.root!), part, {
    fill: (each) => each,
    apply: (rule) => applied.push(rule),
  });
  expect([found, applied]).toEqual([[], ["file-parts"]]);
});

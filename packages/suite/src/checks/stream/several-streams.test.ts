import { expect, test } from "vitest";
import { agree } from "./several-streams.ts";

test.each([
  ["the same events", ["a", "b", "c"], ["a", "b", "c"], true],
  ["a later beginning", ["a", "b", "c"], ["b", "c"], true],
  ["an earlier beginning", ["c"], ["a", "b", "c"], true],
  ["one that told nothing", ["a"], [], true],
  ["the same event twice", ["w", "w", "c"], ["w", "c"], true],
  ["another order", ["a", "b", "c"], ["b", "a", "c"], false],
  ["a gap", ["a", "b", "c"], ["a", "c"], false],
  ["another ending", ["a", "b"], ["a", "c"], false],
])("two streams agree or not: %s", (_what, one, other, expected) => {
  expect(agree(one, other)).toBe(expected);
});

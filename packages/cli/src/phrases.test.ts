import { expect, test } from "vitest";
import { clockTime, duration, listed, plural, sections } from "./phrases.ts";

test.each([
  [840, "840 ms"],
  [6_100, "6.1 s"],
  [48_000, "48 s"],
  [192_000, "3 min 12 s"],
])("%i ms is %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test("a clock has hours only when it needs them", () => {
  expect([clockTime(31_000), clockTime(3_723_000)]).toEqual(["00:31", "01:02:03"]);
});

test("words go with their numbers", () => {
  expect([plural(1, "rule"), plural(3, "rule"), listed(["a", "b", "c"]), sections("3.3.2, 5.4")]).toEqual([
    "1 rule",
    "3 rules",
    "a, b and c",
    "§3.3.2, §5.4",
  ]);
});

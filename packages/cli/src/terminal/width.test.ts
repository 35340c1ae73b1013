import { expect, test } from "vitest";
import { createColors } from "./colors.ts";
import { ownSequence } from "./own-sequence.ts";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

test.each([
  ["plain", 5],
  [createColors(true).red("red"), 3],
  ["天気", 4],
  ["e\u0301", 1],
  ["🌦", 2],
])("%j takes %i cells", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("a cut keeps colours whole and ends them", () => {
  const { red } = createColors(true);
  expect(cutTo(red("abcdef"), 4)).toBe(`${ownSequence("31m")}abc…${ownSequence("0m")}`);
  expect(cutTo("天気予報", 5)).toBe("天気…");
  expect(cutTo("fits", 4)).toBe("fits");
});

test("padding counts cells, not characters", () => {
  expect(padTo("天", 4)).toBe("天  ");
});

test("words are kept together", () => {
  expect(wrap("one two three averylongword four", 9)).toEqual(["one two", "three", "averylongword", "four"]);
});

import { expect, test } from "vitest";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

test.each([
  ["plain", 5],
  ["\u001b[31mred\u001b[39m", 3],
  ["天気", 4],
  ["e\u0301", 1],
  ["🌦", 2],
])("%j takes %i cells", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("a cut keeps colours whole and ends them", () => {
  expect(cutTo("\u001b[31mabcdef\u001b[39m", 4)).toBe("\u001b[31mabc…\u001b[0m");
  expect(cutTo("天気予報", 5)).toBe("天気…");
  expect(cutTo("fits", 4)).toBe("fits");
});

test("padding counts cells, not characters", () => {
  expect(padTo("天", 4)).toBe("天  ");
});

test("words are kept together", () => {
  expect(wrap("one two three averylongword four", 9)).toEqual(["one two", "three", "averylongword", "four"]);
});

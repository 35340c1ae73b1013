import { expect, test } from "vitest";
import { numberAt } from "./skill.ts";

test.each([
  ["5", 0, 5],
  ["5 6", 1, 6],
  ["  5\t\n6 ", 1, 6],
  ["0", 0, 0],
  ["007", 0, 7],
  ["101", 0, 100],
  ["999999999999", 0, 100],
  ["9999999999999", 0, 42],
  ["", 0, 42],
  ["5", 1, 42],
  ["-5", 0, 42],
  ["5.5", 0, 42],
  ["1e3", 0, 42],
  ["0x10", 0, 42],
  ["five", 0, 42],
  ["٥", 0, 42],
])(
  "the argument %j has at place %s the number %s, at most 100 and 42 when there is none",
  (argument, place, expected) => {
    expect(numberAt(argument, place, 42, 100)).toBe(expected);
  },
);

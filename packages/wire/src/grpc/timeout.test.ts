import fc from "fast-check";
import { expect, test } from "vitest";
import { timeoutOf, writeTimeout } from "./timeout.ts";

test.each([
  ["1H", 3_600_000],
  ["2M", 120_000],
  ["3S", 3_000],
  ["4m", 4],
  ["5u", 0.005],
  ["6n", 0.000006],
  ["99999999H", 359_999_996_400_000],
])("%s is %d ms", (text, ms) => {
  expect(timeoutOf(text)).toBeCloseTo(ms, 9);
});

test.each([undefined, "", "1", "m", "-1m", "1.5S", "123456789m", "1s", " 1m", "1m "])("%j is no timeout", (text) => {
  expect(timeoutOf(text)).toBe(undefined);
});

test("what is written is read as the same time or a little more, at any length", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 359_999_996_400_000, noNaN: true }), (ms) => {
      const read = timeoutOf(writeTimeout(ms))!;
      expect(read).toBeGreaterThanOrEqual(ms);
      expect(read).toBeLessThanOrEqual(Math.max(ms * 1.001, ms + 1));
    }),
  );
});

test("what no eight digits can hold is the longest there is", () => {
  expect(writeTimeout(Number.MAX_VALUE)).toBe("99999999H");
});

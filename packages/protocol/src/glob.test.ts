import { expect, test } from "vitest";
import { fitsGlob } from "./glob.ts";

test.each([
  ["LIST-*", "LIST-003", true],
  ["list-*", "LIST-003", true],
  ["*-003", "LIST-003", true],
  ["L*-*3", "LIST-003", true],
  ["*", "", true],
  ["LIST-003", "LIST-003", true],
  ["LIST-003*", "LIST-003", true],
  ["LIST-003*3", "LIST-003", false],
  ["L*T*T*", "LIST-003", false],
  ["LIST", "LIST-003", false],
  ["LIST.*", "LIST-003", false],
])("%s and %s: %s", (pattern, text, fits) => {
  expect(fitsGlob(pattern, text)).toBe(fits);
});

test("a thousand stars are read as fast as one", () => {
  expect(fitsGlob(`${"*A".repeat(1_000)}*B`, "A".repeat(5_000))).toBe(false);
});

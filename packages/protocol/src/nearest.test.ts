import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
  ["STREM-003", "STREAM-003"],
  ["lits-003", "LIST-003"],
  ["depht", "depth"],
  ["xyz", undefined],
])("%s was meant as %s", (given, meant) => {
  expect(nearest(given, ["STREAM-003", "LIST-003", "depth", "prompts"])).toBe(meant);
});

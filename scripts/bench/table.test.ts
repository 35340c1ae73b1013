import { expect, test } from "vitest";
import type { Cell } from "../../bench/src/results/rows.ts";
import { show, tableOf } from "../../bench/src/results/table.ts";

const cell = (name: string, column: string, unit: string, value: number): Cell => ({
  ...{ name, column, unit, value, spread: null, better: "higher" },
});

test("a unit that all cells share is in the corner", () => {
  const cells = [
    cell("echo", "ours", "ms", 1.234),
    cell("echo", "theirs", "ms", 12_345.6),
    cell("get", "ours", "ms", 7),
  ];
  expect(tableOf(cells)).toMatchInlineSnapshot(`
    "| ms | ours | theirs |
    | --- | --: | --: |
    | echo | 1.23 | 12,346 |
    | get | 7 |  |
    "
  `);
});

test("units that differ are in the head of their column, or in the cell", () => {
  const cells = [cell("a", "time", "s", 0.25), cell("a", "size", "MB", 3), cell("b", "size", "calls/s", 0.012)];
  expect(tableOf([...cells, cell("b", "share", "ratio", 0.5)])).toMatchInlineSnapshot(`
    "|  | time, s | size | share |
    | --- | --: | --: | --: |
    | a | 0.25 | 3 MB |  |
    | b |  | 0.012 calls/s | 0.50 |
    "
  `);
});

test("three digits are shown, and whole numbers as they are", () => {
  expect([0, 12, 0.001, 0.0512, 0.512, 5.126, 51.26, 512.6, 5126].map(show)).toEqual([
    "0",
    "12",
    "0.001",
    "0.051",
    "0.51",
    "5.13",
    "51.3",
    "513",
    "5,126",
  ]);
});

import { expect, test } from "vitest";
import { folded, sideRows } from "./side-rows.ts";

test("lines that differ are marked, and a new wrapper moves its content without a mark", () => {
  expect(
    sideRows(["{", '  "kind": "task",', '  "id": "1"', "}"], ["{", '  "task": {', '    "id": "1"', "  }", "}"]),
  ).toEqual([
    { today: "{", next: "{", isSame: true },
    { today: '  "kind": "task",', next: '  "task": {', isSame: false },
    { today: '  "id": "1"', next: '    "id": "1"', isSame: true },
    { today: "}", next: "  }", isSame: true },
    { next: "}", isSame: false },
  ]);
});

test("a comma at the end of a line is not a difference", () => {
  expect(sideRows(['"a": 1,'], ['"a": 1']).every(({ isSame }) => isSame)).toBe(true);
});

test("a text without a counterpart stays on its side", () => {
  expect(sideRows([], ["a"])).toEqual([{ next: "a", isSame: false }]);
  expect(sideRows(["a"], [])).toEqual([{ today: "a", isSame: false }]);
});

test("long runs of equal lines are counted, and those next to a difference stay", () => {
  const same = Array.from({ length: 10 }, (_, line) => `line ${line}`);
  const rows = folded(sideRows([...same, "old"], [...same, "new"]));
  expect(rows.map(({ next }) => next)).toEqual(["(7 equal lines)", "line 7", "line 8", "line 9", "new"]);
});

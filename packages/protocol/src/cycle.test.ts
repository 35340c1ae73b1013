import { expect, test } from "vitest";
import { wayToCycle } from "./cycle.ts";

test("a value that is a part of itself is found, by the way that leads to it", () => {
  const list: unknown[] = [1];
  list.push({ again: list });
  expect(wayToCycle({ a: 1, b: { list } })).toEqual(["b", "list", 1, "again"]);
  const own: Record<string, unknown> = {};
  own["me"] = own;
  expect(wayToCycle(own)).toEqual(["me"]);
});

test("what stands in several places is no cycle, and is looked at once", () => {
  let shared: unknown = { x: 1 };
  for (let depth = 0; depth < 60; depth++) shared = [shared, shared];
  expect(wayToCycle({ shared, more: [null, "text", shared] })).toBeUndefined();
});

import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { spoken, wordsOf } from "../bindings/call.fixture.ts";
import { shapeOfPages } from "./shape.ts";

const check = shapeOfPages.find(({ id }) => id === "LIST-005")!;

/** A page of some tasks, and the size that it states. */
function listed(requested: number | undefined, count: number, pageSize: number): Call {
  const tasks = Array.from({ length: count }, (_, index) => ({ id: `t${index}` }));
  const reply = { is: "result", json: { tasks, pageSize } as JsonObject } as const;
  const params: JsonObject = requested === undefined ? {} : { pageSize: requested };
  return { ...spoken("JSONRPC", { operation: "ListTasks" }), params, reply };
}

test.each([
  ["the requested size", 2, 2, 2, "holds"],
  ["the requested size, on a page with fewer tasks", 10, 2, 10, "holds"],
  ["a cap", 50, 10, 10, "holds"],
  ["a cap, on the last page", 50, 1, 10, "holds"],
  ["a default", undefined, 3, 20, "holds"],
  ["a default where another size was requested", 2, 2, 50, "page-size-echo"],
  ["fewer than the tasks on the page", 10, 3, 2, "page-size-echo"],
  ["none", 10, 0, 0, "page-size-range"],
] as const)("a page may state %s, or not", (_what, requested, count, pageSize, is) => {
  expect(wordsOf(check.judge(listed(requested, count, pageSize)))).toEqual([is]);
});

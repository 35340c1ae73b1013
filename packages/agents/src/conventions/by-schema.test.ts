import { expect, test } from "vitest";
import { bySchema } from "./by-schema.ts";

const words = [{ port: "Whitby" }, { port: "Oban" }];

test.each<[unknown, unknown]>([
  [{ type: "array", items: { type: "object", properties: { port: { type: "string" } } } }, words],
  [
    { properties: { n: { type: ["integer", "null"] }, kind: { enum: ["x", "y"] }, other: {} } },
    { n: 1, kind: "x", other: "other" },
  ],
  [{ type: "boolean" }, true],
  [{ type: "array" }, [null, null]],
  [{ type: "unheard-of" }, null],
  ["no schema", null],
])("what fits %j", (schema, made) => {
  expect(bySchema(schema, words)).toEqual(made);
});

test("a schema without end makes a value that has one", () => {
  const deep: { type: string; items?: unknown } = { type: "array" };
  deep.items = deep;
  expect(JSON.stringify(bySchema(deep, words)).length).toBeLessThan(10_000);
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, {}]));
  expect(Object.keys(bySchema({ properties }, words) as object).length).toBeLessThan(1_000);
});

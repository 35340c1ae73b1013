import { expect, test } from "vitest";
import { joined, raw, sql } from "./query.ts";

const numbered = (index: number): string => `$${index}`;

test("values never become part of the statement text", () => {
  const query = sql`select * from t where a = ${"x' or 1=1"} and b in (${1}, ${null})`;
  expect([query.text(numbered), query.values]).toEqual([
    "select * from t where a = $1 and b in ($2, $3)",
    ["x' or 1=1", 1, null],
  ]);
});

test("a query within a query brings its values along, in order", () => {
  const inner = sql`b = ${2} and c = ${3}`;
  const query = sql`${raw("select 1")} where a = ${1} and (${inner}) or ${joined([inner, sql`d = ${4}`], " or ")}`;
  expect([query.text(numbered), query.values]).toEqual([
    "select 1 where a = $1 and (b = $2 and c = $3) or b = $4 and c = $5 or d = $6",
    [1, 2, 3, 2, 3, 4],
  ]);
});

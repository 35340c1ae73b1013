import { describe, expect, test } from "vitest";
import { duplicateMember, isObject, JsonError, jsonIn, jsonObjectIn, parseJson, writtenText } from "./json.ts";

const lists = (depth: number, inside = ""): string => "[".repeat(depth) + inside + "]".repeat(depth);
const tooDeep = "the JSON nests deeper than 100 levels";
const notJson = "the body is not valid JSON";

function refusal(text: string): JsonError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text.slice(0, 40)}`);
}

test("nesting is followed for 100 levels, lists and objects counted together", () => {
  const mixed = `${'[{"a":'.repeat(50)}1${"}]".repeat(50)}`;
  expect(JSON.stringify(parseJson(lists(100)))).toBe(lists(100));
  expect(JSON.stringify(parseJson(mixed))).toBe(mixed);
});

test.each([
  ["101 lists", lists(101)],
  ["101 objects", `${'{"a":'.repeat(101)}1${"}".repeat(101)}`],
  ["100,000 lists, without a stack overflow", lists(100_000)],
  ["100,000 lists that never end", "[".repeat(100_000)],
  ["the second value of a list", `[1,${lists(100)}]`],
])("nesting is refused at %s", (_name, text) => {
  expect(refusal(text).message).toBe(tooDeep);
});

test.each([
  ["siblings", `[${Array(500).fill("[]").join(",")}]`],
  ["brackets inside a string", JSON.stringify("[{".repeat(200))],
  ["brackets behind an escaped quote", JSON.stringify(`"${"[".repeat(200)}`)],
  ["brackets between escaped backslashes and quotes", JSON.stringify(`\\"\\\\${"{".repeat(200)}\\`)],
  ["brackets inside a member's name", JSON.stringify({ ["[".repeat(200)]: 1 })],
])("%s do not count as nesting", (_name, text) => {
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test("a string that ends in an escaped backslash ends there, so what follows is counted", () => {
  expect(refusal(`["\\\\",${lists(100)}]`).message).toBe(tooDeep);
});

test.each(["", " ", "{", "[1,]", "{'a':1}", "nul", '"open', '"\\', "1 2", "]".repeat(200), "\ufeff{}", "NaN", "[1]]"])(
  "%j is not JSON, and the engine's own complaint is kept as the cause",
  (text) => {
    const error = refusal(text);
    expect([error.name, error.message]).toEqual(["JsonError", notJson]);
    expect(error.cause).toBeInstanceOf(SyntaxError);
  },
);

test("any JSON value may stand alone", () => {
  expect(["null", "true", "-0.5e1", '"a"', " [ ] "].map(parseJson)).toEqual([null, true, -5, "a", []]);
});

test("a member called __proto__ is data", () => {
  expect(Object.entries(parseJson('{"__proto__":{"a":1}}') as object)).toEqual([["__proto__", { a: 1 }]]);
});

describe("an object", () => {
  test.each([[{}], [{ a: 1 }], [Object.create(null)]])("is %j", (value) => {
    expect(isObject(value)).toBe(true);
  });

  test.each([[null], [undefined], [[]], ["{}"], [1], [true], [() => ({})]])("is not %j", (value) => {
    expect(isObject(value)).toBe(false);
  });
});

test("what a text or a body holds is its JSON, or nothing: no exception, and no more than 100 levels", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(jsonIn('{"a":"é"}')).toEqual({ a: "é" });
  expect(jsonIn(bytes('{"a":"é"}'))).toEqual({ a: "é" });
  expect(jsonIn("null")).toBeNull();
  for (const none of [undefined, "", bytes(""), "{", bytes("\ufeff{}"), lists(101), bytes(lists(101))])
    expect(jsonIn(none)).toBeUndefined();
  expect(jsonObjectIn('{"a":1}')).toEqual({ a: 1 });
  for (const other of ["[]", "null", "1", undefined]) expect(jsonObjectIn(other)).toBeUndefined();
});

test.each([
  ["t-1", "t-1"],
  [7, "7"],
  [undefined, ""],
  [{ toString: 1, valueOf: 1 }, '{"toString":1,"valueOf":1}'],
])("%j is written as %s", (value, text) => {
  expect(writtenText(value)).toBe(text);
});

test.each([
  ['{"a":1,"b":2,"a":3}', "a"],
  ['{"a":{"b":1},"c":[{"b":1 , "b" : 2}]}', "b"],
  [String.raw`{"name":1,"n\u0061me":2}`, "name"],
  [String.raw`{"\"":1,"\\":2,"\"":3}`, '"'],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"a":"a","b":{"a":"b:"},"c":["a","a",{"a":":"},{"a":1}]}', undefined],
  ['{"":{"":""}}', undefined],
  ['["a","a"]', undefined],
  ['"a"', undefined],
])("the first duplicate member of %s is %s", (text, name) => {
  expect(duplicateMember(text)).toBe(name);
});

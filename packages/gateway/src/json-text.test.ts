import { expect, test } from "vitest";
import { excerpts, jsonDifference, leavesOf } from "./json-text.ts";

test.each([
  ["the order of members", '{"a":1,"b":[2]}', '{ "b" : [2], "a" : 1 }'],
  ["escapes of the same text", '{"a":"é/"}', '{"a":"\\u00e9\\/"}'],
  ["the JSON-RPC id", '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":"gw-7","result":{}}'],
])("%s does not count", (_, before, after) => {
  expect(jsonDifference(before, after)).toBeUndefined();
});

test.each([
  ["a rounded int64", '{"a":{"n":9007199254740993}}', '{"a":{"n":9007199254740992}}', "$.a.n", "content"],
  ["another notation", "[1.10]", "[1.1]", "$[0]", "notation"],
  [
    "a rounded int64 behind another notation",
    '{"a":1,"n":9007199254740993}',
    '{"a":1.0,"n":9007199254740992}',
    "$.n",
    "content",
  ],
  [
    "an int64 in metadata, rounded to a double",
    '{"metadata":{"n":[9007199254740993]}}',
    '{"metadata":{"n":[9.007199254740992e15]}}',
    "$.metadata.n[0]",
    "rounded",
  ],
  [
    "a rounded int64 in the data of a part",
    '{"parts":[{"data":{"n":9007199254740993}}]}',
    '{"parts":[{"data":{"n":9007199254740992}}]}',
    "$.parts[0].data.n",
    "rounded",
  ],
  [
    "another number in metadata",
    '{"metadata":{"n":9007199254740993}}',
    '{"metadata":{"n":9007199254740995}}',
    "$.metadata.n",
    "content",
  ],
  ["a lost digit in metadata", '{"metadata":{"n":1.25}}', '{"metadata":{"n":1.2}}', "$.metadata.n", "content"],
  ["an added empty object", "{}", '{"a":{}}', "$.a", "notation"],
  ["a lost member", '{"a":{"b":null}}', '{"a":{}}', "$.a.b", "content"],
  ["an added member", "{}", '{"a":1}', "$.a", "content"],
  ["a lost item", "[1,2]", "[1]", "$[1]", "content"],
  ["a string instead of a number", '{"a":1}', '{"a":"1"}', "$.a", "content"],
  ["a body that is not JSON", '{"a":1}', "<html>", "$", "content"],
  ["the id of another object", '{"id":1}', '{"id":2}', "$.id", "content"],
])("%s is found", (_, before, after, path, is) => {
  expect(jsonDifference(before, after)).toMatchObject({ path, is });
});

test("every value has a path, and equal numbers have one notation", () => {
  expect(
    leavesOf(
      '{"jsonrpc":"2.0","id":7,"result":{"a":[1.0,{"b":"x"}],"c":{},"d":9007199254740993,"metadata":{"e":9007199254740993}}}',
    ),
  ).toEqual(
    new Map([
      ["$.jsonrpc", '"2.0"'],
      ["$.result.a[0]", "1"],
      ["$.result.a[1].b", '"x"'],
      ["$.result.c", "{}"],
      ["$.result.d", "9007199254740993"],
      ["$.result.metadata.e", "9007199254740992"],
    ]),
  );
  expect(leavesOf("<html>")).toBeUndefined();
});

test("a difference at the end of a long text is found and shown", () => {
  const long = "x".repeat(500);
  expect(jsonDifference(`{"text":"${long}yes"}`, `{"text":"${long}no"}`)).toEqual({
    path: "$.text",
    before: `…${"x".repeat(40)}yes"`,
    after: `…${"x".repeat(40)}no"`,
    is: "content",
  });
});

test("a text that is cut is shown from the place where it ends", () => {
  const long = "x".repeat(500);
  expect(excerpts(`${long}${long}`, long)).toEqual({
    before: `…${"x".repeat(120)}…`,
    after: `…${"x".repeat(40)}`,
  });
});

import { expect, test } from "vitest";
import { jsonDifference } from "./json-text.ts";

test.each([
  ["the order of members", '{"a":1,"b":[2]}', '{ "b" : [2], "a" : 1 }'],
  ["escapes of the same text", '{"a":"é/"}', '{"a":"\\u00e9\\/"}'],
  ["the JSON-RPC id", '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":"gw-7","result":{}}'],
])("%s does not count", (_, before, after) => {
  expect(jsonDifference(before, after)).toBeUndefined();
});

test.each([
  ["a rounded int64", '{"a":{"n":9007199254740993}}', '{"a":{"n":9007199254740992}}', "$.a.n", false],
  ["another notation", "[1.10]", "[1.1]", "$[0]", true],
  ["a lost member", '{"a":{"b":null}}', '{"a":{}}', "$.a.b", false],
  ["an added member", "{}", '{"a":1}', "$.a", false],
  ["a lost item", "[1,2]", "[1]", "$[1]", false],
  ["a string instead of a number", '{"a":1}', '{"a":"1"}', "$.a", false],
  ["a body that is not JSON", '{"a":1}', "<html>", "$", false],
  ["the id of another object", '{"id":1}', '{"id":2}', "$.id", false],
])("%s is found", (_, before, after, path, isNotation) => {
  expect(jsonDifference(before, after)).toMatchObject({ path, isNotation });
});

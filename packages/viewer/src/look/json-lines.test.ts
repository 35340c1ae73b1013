import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLines } from "./json-lines.ts";

const shown = (text: string): string | undefined =>
  jsonLines(text)
    ?.map(({ depth, text: line }) => "  ".repeat(depth) + line)
    .join("\n");

test("JSON is told as JSON.stringify would write it, whatever it is", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(shown(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test("what a reader would round, merge or unescape stays as it was written", () => {
  expect(shown('{"a":1.0,"a":12345678901234567890,"b":"\\u0041\\/"}')).toBe(
    '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "b": "\\u0041\\/"\n}',
  );
});

test("every value has its path", () => {
  const paths = jsonLines('{"task":{"parts":[{"text":"x"},[]],"with blank":{}}}')!.flatMap(({ path }) => path ?? []);
  expect(paths).toEqual([
    "$",
    "$.task",
    "$.task.parts",
    "$.task.parts[0]",
    "$.task.parts[0].text",
    "$.task.parts[1]",
    '$.task["with blank"]',
  ]);
});

test.each(["", "{", '{"a"}', '{"a":1,}', "[1 2]", "{} {}", "nul", "'a'", "{a:1}", "[".repeat(5_000)])(
  "%j is no JSON",
  (text) => {
    expect(jsonLines(text)).toBeUndefined();
  },
);

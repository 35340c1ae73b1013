import type { HarEntry } from "@assay/wire";
import { expect, test } from "vitest";
import { answersIn } from "./answers.ts";

const deep = "[".repeat(101) + "]".repeat(101);

const answered = (mimeType: string, text: string): HarEntry =>
  ({ request: { url: "http://agent.test" }, response: { content: { mimeType, text } } }) as HarEntry;

test("an answer that nests too deep is left out, as what is no JSON is", () => {
  expect(answersIn(answered("application/json", deep))).toEqual([]);
  expect(answersIn(answered("text/event-stream", `data: ${deep}\n\ndata: {"a":1}\n\ndata: <p>\n\n`))).toEqual([
    { a: 1 },
  ]);
});

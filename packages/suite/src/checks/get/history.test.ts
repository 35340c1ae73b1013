import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { wordOf } from "../bindings/call.fixture.ts";
import { newest } from "./history.ts";

const message = (messageId: string): JsonObject => ({ messageId });
const [hello, question, answer, thanks] = ["hello", "question", "answer", "thanks"].map(message) as [
  JsonObject,
  JsonObject,
  JsonObject,
  JsonObject,
];
const said = ["hello", "answer"];
// It is only quoted.
const at = {} as Call;

test.each([
  ["the last of a list that grows", [hello, question, answer], [answer], "holds"],
  ["the first of a list that begins with the newest", [answer, question, hello], [answer], "holds"],
  ["the agent's word behind ours", [hello, answer, thanks], [thanks], "holds"],
  ["one that the whole list does not show", [hello, answer], [thanks], "holds"],
  ["the last of a list that holds every message twice", [hello, hello, answer, answer], [answer], "holds"],
  ["the first of a list that holds every message twice", [hello, hello, answer, answer], [hello], "broken"],
  ["the first of a list that grows", [hello, question, answer], [hello], "broken"],
  ["the last of a list that begins with the newest", [answer, question, hello], [hello], "broken"],
  ["one from the middle", [hello, question, answer], [question], "broken"],
  ["nothing, where the agent keeps none", [], [], "not-examined"],
  ["one of a list with a single message of ours", [question, answer], [question], "not-examined"],
  ["nothing of a list that there is", [hello, answer], [], "not-examined"],
  ["more than was asked for", [hello, answer], [hello, answer], "not-examined"],
] as const)("a history cut to one message shows %s", (_what, all, cut, is) => {
  expect(wordOf(newest(all, cut, said, at))).toBe(is);
});

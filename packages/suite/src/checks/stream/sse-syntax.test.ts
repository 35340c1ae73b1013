import { expect, test } from "vitest";
import { spoken, wordsOf } from "../bindings/call.case.ts";
import { sseSyntaxChecks } from "./sse-syntax.ts";

const [{ judge }] = sseSyntaxChecks as [(typeof sseSyntaxChecks)[number]];
const one = JSON.stringify({ statusUpdate: { taskId: "t" } });

test.each<[string, { events: string[]; unfinished?: string }, string[]]>([
  ["events of one line", { events: [one, one] }, ["holds"]],
  ["an event over many lines", { events: [JSON.stringify(JSON.parse(one), null, 2)] }, ["holds"]],
  ["events that run together", { events: [`${one}\n${one}`] }, ["broken"]],
  ["a last event without its blank line", { events: [one], unfinished: one }, ["broken"]],
  ["an event that is no JSON at all, which is for another rule", { events: ["hello"] }, ["holds"]],
  ["no event", { events: [] }, []],
])("%s", (_what, stream, verdict) => {
  expect(wordsOf(judge(spoken("HTTP+JSON", stream)))).toEqual(verdict);
});

import { describe, expect, test } from "vitest";
import { spoken, wordsOf } from "../bindings/call.fixture.ts";
import { replied, streamOf } from "../bindings/reply.fixture.ts";
import { followerChecks, sseSyntaxChecks } from "./events.ts";

const [{ judge }] = sseSyntaxChecks as [(typeof sseSyntaxChecks)[number]];
const one = JSON.stringify({ statusUpdate: { taskId: "t" } });

test.each<[string, { events: string[]; unfinished?: string; body?: string }, string[]]>([
  ["events of one line", { events: [one, one] }, ["holds"]],
  ["an event over many lines", { events: [JSON.stringify(JSON.parse(one), null, 2)] }, ["holds"]],
  ["events that run together", { events: [`${one}\n${one}`] }, ["lost-events"]],
  ["a last event without its blank line", { events: [one], unfinished: one }, ["lost-events"]],
  ["an end in the middle of an event", { events: [one], unfinished: one.slice(0, 9) }, ["broken"]],
  ["a control character before each event", { events: [], body: `\u001edata: ${one}\n\n` }, ["lost-events"]],
  ["JSON without data:", { events: [], body: `${one}\n\n` }, ["lost-events"]],
  ["JSON text sequences", { events: [], body: `\u001e${one}\n` }, ["lost-events"]],
  [
    "a byte order mark, comments and fields of its own",
    { events: [one], body: `\uFEFFdata: ${one}\n: {}\nx-own: {}\n\n` },
    ["holds"],
  ],
  ["an event that is no JSON at all, which is for another rule", { events: ["hello"] }, ["holds"]],
  ["no event", { events: [] }, []],
])("%s", (_what, stream, verdict) => {
  expect(wordsOf(judge(spoken("HTTP+JSON", stream)))).toEqual(verdict);
});

describe("a closing Task", () => {
  const [streamed] = followerChecks as [(typeof followerChecks)[number]];
  const task = (state: string) => ({ task: { id: "t", contextId: "c", status: { state } } });
  const update = (state: string) => ({ statusUpdate: { taskId: "t", contextId: "c", status: { state } } });
  const judged = (last: string) => {
    const events = [task("TASK_STATE_SUBMITTED"), update("TASK_STATE_COMPLETED"), task(last)];
    return wordsOf(streamed.judge(replied("SendStreamingMessage", streamOf(events)), new Set()));
  };

  test("must not show an earlier state", () => {
    expect(judged("TASK_STATE_COMPLETED")).toEqual(["holds"]);
    expect(judged("TASK_STATE_WORKING")).toEqual(["broken"]);
  });

  test("with a state that does not exist shows no earlier one", () => {
    expect(judged("completed")).toEqual(["holds"]);
  });
});

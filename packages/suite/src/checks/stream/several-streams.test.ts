import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { looseEvent } from "../../answers/reading.ts";
import { wordsOf } from "../bindings/call.fixture.ts";
import { replied, streamOf } from "../bindings/reply.fixture.ts";
import { agree, everyStreamGetsAll } from "./several-streams.ts";

test.each([
  ["the same events", ["a", "b", "c"], ["a", "b", "c"], true],
  ["a later beginning", ["a", "b", "c"], ["b", "c"], true],
  ["an earlier beginning", ["c"], ["a", "b", "c"], true],
  ["one that told nothing", ["a"], [], true],
  ["the same event twice", ["w", "w", "c"], ["w", "c"], true],
  ["another order", ["a", "b", "c"], ["b", "a", "c"], false],
  ["a gap", ["a", "b", "c"], ["a", "c"], false],
  ["another ending", ["a", "b"], ["a", "c"], false],
])("two streams agree or not: %s", (_what, one, other, expected) => {
  expect(agree(one, other)).toBe(expected);
});

/** Judges two subscriptions to one task; the second began after the first chunk and ended like the first. */
async function judged(artifact: JsonObject): Promise<readonly string[]> {
  const named = { taskId: "t", contextId: "c" };
  const opening = (artifacts: JsonObject[]) => ({
    task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" }, artifacts },
  });
  const chunk = { artifactUpdate: { ...named, artifact: { ...artifact, parts: [{ text: "x" }] } } };
  const end = { statusUpdate: { ...named, status: { state: "TASK_STATE_COMPLETED" } } };
  const whole = { artifactId: "text", parts: [{ text: "x" }] };
  const subscriptions = [
    [opening([]), chunk, end],
    [opening([whole]), end],
  ].map((events) => ({
    call: replied("SubscribeToTask", streamOf(events)),
    events: events.map((json, at) => looseEvent({ is: "result", json, at, bytes: 0 })!),
    taskId: "t",
    complete: true,
    closed: true,
  }));
  return wordsOf(await everyStreamGetsAll.judge({ slowTaskStreams: { subscriptions } } as never, undefined as never));
}

test.each<[string, JsonObject, string[]]>([
  ["an artifact that the opening Task has", { artifactId: "text" }, ["holds"]],
  ["an artifact that it lacks", { artifactId: "image" }, ["broken"]],
  ["an artifact without an id, which DATA-024 judges", {}, ["holds"]],
])("a later stream lacks %s", async (_what, artifact, verdict) => {
  expect(await judged(artifact)).toEqual(verdict);
});

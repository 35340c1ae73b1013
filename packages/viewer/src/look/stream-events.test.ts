import type { HarEntry } from "@assay/suite/report";
import { expect, test } from "vitest";
import { sampleRun } from "../../../reporters/src/sample.fixture.ts";
import { eventWords, streamEvents } from "./stream-events.ts";
import { eventPlaces, streamEnd } from "./stream-places.ts";

const [sample] = sampleRun.events.flatMap((event) =>
  event.event === "exchange" && event.id === "x7" ? event.entry : [],
);

const answer = (
  text: string,
  arrivals: readonly number[],
  mimeType = "text/event-stream; charset=utf-8",
): HarEntry => ({
  ...sample!,
  time: 2_000,
  response: { ...sample!.response, content: { size: text.length, mimeType, text }, _arrivals: arrivals },
});

test("events are read as browsers read them, each with its time", () => {
  const text = "\ufeff: hello\r\ndata: a\rdata:b\n\nevent: x\ndata\n\n\nid: 3\n\ndata: unfinished";
  expect(streamEvents(answer(text, [1, 2]))).toEqual([
    { at: 1, data: "a\nb" },
    { at: 2, data: "" },
  ]);
});

test("events have no text over gRPC, and a single answer is no stream", () => {
  expect(streamEvents(answer("AAAA", [1, 2], "application/grpc"))).toEqual([{ at: 1 }, { at: 2 }]);
  expect(streamEvents(answer("AAAA", [1], "application/grpc"))).toEqual([]);
  expect(streamEvents(answer("{}", [], "application/json"))).toEqual([]);
});

test.each([
  ['{"result":{"task":{"status":{"state":"TASK_STATE_SUBMITTED"}}}}', "task submitted"],
  ['{"statusUpdate":{"status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}', "status input-required"],
  ['{"result":{"kind":"status-update","status":{"state":"working"}}}', "status working"],
  ['{"artifactUpdate":{"artifact":{"artifactId":"a1"}}}', "artifact a1"],
  ['{"result":{"message":{}}}', "message"],
  ['{"error":{"code":-32603}}', "error -32603"],
  ["[1]", "not a JSON object"],
  ["{}", "something else"],
])("%s is told as %s", (data, words) => {
  expect(eventWords(data)).toBe(words);
});

const at = (...times: number[]) => times.map((time) => ({ at: time }));

test("each event is at its time, those at once on top of each other, and the one that breaks the rule is marked", () => {
  const events = at(500, 502, 2_000);
  expect(eventPlaces(events, streamEnd(events, 2_000), 1)).toEqual([
    { index: 0, share: 0.25, level: 0, isWrong: false },
    { index: 1, share: 0.251, level: 1, isWrong: true },
    { index: 2, share: 1, level: 0, isWrong: false },
  ]);
});

test("of a thousand events at once those are drawn that can be seen, and the one that matters", () => {
  const places = eventPlaces(at(...Array.from({ length: 1_000 }, () => 5)), 10, 999);
  expect(places.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 999]);
});

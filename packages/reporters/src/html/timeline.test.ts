import type { HarEntry } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { nastyStrings } from "../hostile.case.ts";
import { eventWords, streamEvents } from "../look/stream-events.ts";
import { sampleRun } from "../sample.case.ts";
import { tagsOf } from "../tags.case.ts";
import { timelineOf } from "./timeline.ts";

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

describe("the events of a stream", () => {
  test("are read as browsers read them, each with its time", () => {
    const text = "\ufeff: hello\r\ndata: a\rdata:b\n\nevent: x\ndata\n\n\nid: 3\n\ndata: unfinished";
    expect(streamEvents(answer(text, [1, 2]))).toEqual([
      { at: 1, data: "a\nb" },
      { at: 2, data: "" },
    ]);
  });

  test("have no text over gRPC, and a single answer is no stream", () => {
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
    ["[1]", "no JSON object"],
    ["{}", "something else"],
  ])("%s is told as %s", (data, words) => {
    expect(eventWords(data)).toBe(words);
  });
});

describe("a timeline", () => {
  const events = ["WORKING", "WORKING", "COMPLETED"]
    .map((state) => `data: {"statusUpdate":{"status":{"state":"TASK_STATE_${state}"}}}\n\n`)
    .join("");

  test("has each event at its time, those at once on top of each other, and a cross for the one that breaks the rule", () => {
    const { text } = timelineOf(answer(events, [500, 502, 2_000]), { event: 1, path: "$.statusUpdate" })!;
    expect(text).toContain('aria-label="3 events in 2.0 s; the marked one is event 2"');
    expect(text.match(/<(i|b) style="[^"]*"/g)).toEqual([
      '<i style="left:25.00%;bottom:0.0rem"',
      '<b style="left:25.10%;bottom:0.7rem"',
      '<i style="left:100.00%;bottom:0.0rem"',
    ]);
    expect(text.match(/<details( open)?>/g)).toEqual(["<details>", "<details open>", "<details>"]);
    expect(text).toContain("<mark>&quot;statusUpdate&quot;: { ◀</mark>");
  });

  test("of a thousand events lists the first, and the one that matters", () => {
    const many = Array.from({ length: 1_000 }, () => "data: {}\n\n").join("");
    const { text } = timelineOf(answer(many, [...Array(1_000).keys()]), { event: 999 })!;
    expect(text.match(/<li>/g)).toHaveLength(60);
    expect(text).toContain("◀ here");
    expect(text).toContain("and 940 more in the HAR report");
  });

  test.each(Object.entries(nastyStrings))("%s in an event stays text", (_, said) => {
    const { text } = timelineOf(answer(`data: ${said}\n\n`, [1]), { event: 0, path: said })!;
    expect(tagsOf(text)).not.toContain("script");
  });
});

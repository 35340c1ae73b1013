import { describe, expect, test } from "vitest";
import { wordsOf } from "../bindings/call.fixture.ts";
import { replied, streamOf } from "../bindings/reply.fixture.ts";
import { messagesBelong } from "./task-shape.ts";

describe("the status message of an update", () => {
  const judged = (ofEvent: string, ofMessage: string) => {
    const message = {
      messageId: "m",
      role: "ROLE_AGENT",
      taskId: "t",
      contextId: ofMessage,
      parts: [{ text: "on it" }],
    };
    const status = { state: "TASK_STATE_WORKING", message };
    const events = [
      { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_SUBMITTED" } } },
      { statusUpdate: { taskId: "t", contextId: ofEvent, status } },
    ];
    return wordsOf(messagesBelong.judge(replied("SendStreamingMessage", streamOf(events)), new Set()));
  };

  test("belongs to the task of the stream", () => {
    expect(judged("c", "c")).toEqual(["holds"]);
    expect(judged("c", "another")).toEqual(["broken"]);
  });

  test("is right in an update with the wrong context, which STREAM-019 judges", () => {
    expect(judged("another", "c")).toEqual(["holds"]);
  });
});

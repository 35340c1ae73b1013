import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { transliterate } from "./transliterate.ts";

describe("what an older peer wrote is put into the members of 1.0", () => {
  test("a task of 0.3, though it does not say that it is one", () => {
    const task = {
      id: "t",
      contextId: "c",
      status: { state: "input-required", message: { role: "agent", parts: [] } },
    };
    expect(transliterate("0.3", "SendMessage", task)).toEqual({
      task: {
        id: "t",
        contextId: "c",
        status: { state: "TASK_STATE_INPUT_REQUIRED", message: { role: "ROLE_AGENT", parts: [] } },
      },
    });
  });

  test("files and data one level up", () => {
    const parts = [
      { kind: "file", file: { bytes: "aGk=", name: "a.txt", mimeType: "text/plain" } },
      { kind: "file", file: { uri: "https://example.com/a" } },
      { kind: "data", data: { a: 1 } },
    ];
    expect(transliterate("0.3", "SendMessage", { kind: "message", parts })).toEqual({
      message: {
        parts: [
          { raw: "aGk=", filename: "a.txt", mediaType: "text/plain" },
          { url: "https://example.com/a" },
          { data: { a: 1 } },
        ],
      },
    });
  });

  test("the protobuf form of 0.3, with its two Ls and its data in data", () => {
    const task = {
      task: {
        id: "t",
        status: { state: "TASK_STATE_CANCELLED", message: { content: [{ data: { data: { a: 1 } } }] } },
      },
    };
    expect(transliterate("0.3-proto", "SendMessage", task)).toEqual({
      task: { id: "t", status: { state: "TASK_STATE_CANCELED", message: { parts: [{ data: { a: 1 } }] } } },
    });
  });

  test("events of 0.1: whose task, in which session, and which chunk", () => {
    const event = {
      id: "t",
      artifact: { index: 2, append: true, lastChunk: false, parts: [{ type: "text", text: "x" }] },
    };
    expect(transliterate("0.1", "SendStreamingMessage", event)).toEqual({
      artifactUpdate: {
        taskId: "t",
        artifact: { artifactId: "v01-artifact-2", parts: [{ text: "x" }] },
        append: true,
        lastChunk: false,
      },
    });
    expect(transliterate("0.1", "GetTask", { id: "t", sessionId: "s", status: { state: "unknown" } })).toEqual({
      id: "t",
      contextId: "s",
      status: { state: "TASK_STATE_UNSPECIFIED" },
    });
  });

  test("push configurations out of their wrapper", () => {
    const config = {
      taskId: "t",
      pushNotificationConfig: { id: "p", url: "u", authentication: { schemes: ["Bearer"] } },
    };
    expect(transliterate("0.3", "GetTaskPushNotificationConfig", config)).toMatchObject({
      taskId: "t",
      id: "p",
      url: "u",
      authentication: { scheme: "Bearer" },
    });
  });
});

test.each<[string, JsonObject]>([
  ["a state nobody knows", { id: "t", status: { state: "paused" } }],
  ["a status that is none", { id: "t", status: "working" }],
  ["artifacts that are no list", { id: "t", status: {}, artifacts: { a: 1 } }],
])("%s is passed on as it is", (_what, json) => {
  expect(transliterate("0.3", "GetTask", json)).toEqual(json);
});

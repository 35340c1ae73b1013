import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { StreamResponse } from "../../model.ts";
import type { ReadingNote } from "../place.ts";
import { v03 } from "./dialect.ts";

const message = { kind: "message", messageId: "m-1", role: "user", parts: [{ kind: "text", text: "hi" }] };

describe("what clients of 0.3 send beside the schema is read, with a finding", () => {
  test.each<[string, JsonObject, ReadingNote[]]>([
    [
      "a message without kind",
      { message: { messageId: "m-1", role: "user", parts: [] } },
      [{ path: "$.message.kind", message: 'is missing; assumed to be "message"' }],
    ],
    [
      "a part with type for kind",
      { message: { ...message, parts: [{ type: "text", text: "hi" }] } },
      [{ path: "$.message.parts[0].type", message: 'is used instead of "kind", which this dialect requires' }],
    ],
    [
      "a file under data",
      { message: { ...message, parts: [{ kind: "file", file: { data: "aGk" } }] } },
      [
        { path: "$.message.parts[0].file.data", message: "is used instead of bytes; read as bytes" },
        { path: "$.message.parts[0].file.data", message: "is base64 in a nonstandard form" },
      ],
    ],
    ["null", { message, configuration: null }, [{ path: "$.configuration", message: "is null; read as not set" }]],
  ])("%s", (_name, json, notes) => {
    const reading = v03.readRequest("SendMessage", json);
    expect(reading.violations).toBe(undefined);
    expect(reading.notes).toEqual(notes);
  });

  test("a status update without final, with a time without zone", () => {
    const event = {
      kind: "status-update",
      taskId: "t",
      contextId: "c",
      status: { state: "working", timestamp: "2025-08-01T08:00:02" },
    };
    const { value, notes } = v03.readEvents(event);
    expect(value).toEqual([
      {
        statusUpdate: {
          taskId: "t",
          contextId: "c",
          status: { state: "TASK_STATE_WORKING", timestamp: "2025-08-01T08:00:02Z" },
        },
      },
    ]);
    expect(notes).toEqual([
      { path: "$.final", message: "is missing; assumed to be false" },
      { path: "$.status.timestamp", message: '"2025-08-01T08:00:02" has no time zone; assumed to be UTC' },
    ]);
  });
});

describe("what cannot be told is refused at its place", () => {
  test.each<[string, unknown, string, string]>([
    [
      "an answer without kind",
      { id: "t", contextId: "c", status: { state: "working" } },
      "$.kind",
      "is required and missing",
    ],
    ["an answer of another kind", { kind: "artifact" }, "$.kind", 'expected a kind of this version, got "artifact"'],
    [
      "a state of 1.0",
      { kind: "task", id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
      "$.status.state",
      'expected one of submitted, working, input-required, completed, canceled, failed, rejected, auth-required, unknown, got "TASK_STATE_WORKING"',
    ],
    [
      "a file with bytes and uri",
      { ...message, parts: [{ kind: "file", file: { bytes: "", uri: "" } }] },
      "$.parts[0].file",
      "needs exactly one of bytes, uri, has bytes and uri",
    ],
    [
      "a file with neither",
      { ...message, parts: [{ kind: "file", file: {} }] },
      "$.parts[0].file",
      "needs exactly one of bytes, uri, has none",
    ],
    [
      "a list as data",
      { ...message, parts: [{ kind: "data", data: [] }] },
      "$.parts[0].data",
      "expected an object, got an array",
    ],
    ["a list", [], "$", "expected an object, got an array"],
  ])("%s", (_name, json, path, words) => {
    expect(v03.readAnswer("SendMessage", json).violations).toMatchObject([{ path, message: words }]);
  });
});

describe("blocking", () => {
  const sent = (configuration?: JsonObject) =>
    (
      v03.writeRequest(
        "SendMessage",
        v03.readRequest("SendMessage", { message, ...(configuration && { configuration }) }).value!,
      ) as JsonObject
    )["configuration"];
  const meant = (configuration: JsonObject) =>
    v03.readRequest("SendMessage", { message, configuration }).value?.configuration;

  test("a client that does not say waits", () => {
    expect([meant({}), meant({ blocking: true }), meant({ blocking: false })]).toEqual([
      {},
      {},
      { returnImmediately: true },
    ]);
  });

  test("is always said in a configuration, and no configuration is made up", () => {
    expect([sent(), sent({}), sent({ blocking: false })]).toEqual([undefined, { blocking: true }, { blocking: false }]);
  });
});

test.each<[string, boolean | undefined, boolean]>([
  ["TASK_STATE_WORKING", true, false],
  ["TASK_STATE_INPUT_REQUIRED", false, false],
  ["TASK_STATE_INPUT_REQUIRED", true, true],
  ["TASK_STATE_AUTH_REQUIRED", true, true],
  ["TASK_STATE_REJECTED", undefined, true],
])("final at %s, closing %s, is %s", (state, last, final) => {
  const event = { statusUpdate: { taskId: "t", contextId: "c", status: { state } } } as StreamResponse;
  expect(v03.writeEvents(event, undefined, last === undefined ? {} : { last })).toMatchObject([{ final }]);
});

test("offsets become UTC", () => {
  const status = { state: "working", timestamp: "2025-08-01T10:00:02.000001+02:00" };
  const { value, notes } = v03.readAnswer("GetTask", { kind: "task", id: "t", contextId: "c", status });
  expect([value!.status.timestamp, notes]).toEqual(["2025-08-01T08:00:02.000001Z", undefined]);
});

test("a push configuration without id is found again by a client that names none", () => {
  const pushNotificationConfig = { url: "https://hooks.example/t", authentication: { schemes: ["Bearer", "Basic"] } };
  const { value } = v03.readRequest("CreateTaskPushNotificationConfig", { taskId: "t-1", pushNotificationConfig });
  expect(value).toEqual({
    taskId: "t-1",
    id: "t-1",
    url: "https://hooks.example/t",
    authentication: { scheme: "Bearer" },
  });
  expect(v03.readRequest("GetTaskPushNotificationConfig", { id: "t-1" }).value).toEqual({ taskId: "t-1", id: "t-1" });
});

test.each([null, undefined, {}, "gone"])("a delete may answer %j", (json) => {
  expect(v03.readAnswer("DeleteTaskPushNotificationConfig", json)).toEqual({ value: {} });
  expect(v03.writeAnswer("DeleteTaskPushNotificationConfig", {})).toBe(null);
});

test.each([[{ toString: 1, valueOf: 1 }], ["constructor"], ["toString"]])("an event of kind %j is refused", (kind) => {
  expect(v03.readEvents({ kind, taskId: "t" }).violations).not.toBe(undefined);
});

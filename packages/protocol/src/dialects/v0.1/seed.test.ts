import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonValue, parseJson } from "../../json.ts";
import type { Operation } from "../../operations.ts";
import { readLooseAnswer, readLooseCall } from "../envelope.ts";
import { startExchange } from "../exchange.ts";
import type { ReadingNote } from "../place.ts";
import { v01 } from "./dialect.ts";

/**
 * The page that introduced 0.1 shows 25 payloads, many of them against its own schema (dialects.md §13). A reader
 * that refuses them refuses the official page, so each of its shapes is here, in our words, with what we say to it.
 */
const id = "task-7c1f0a52";
const sessionId = "session-20b4";
const say = (text: string, more: JsonObject = {}): JsonObject => ({
  role: "user",
  parts: [{ type: "text", text, ...more }],
});
const picture = { type: "file", file: { mimeType: "image/png", data: "aGVpZ2h0Cg==" } };
const numbered = { path: "$.id", message: `is the number 1; read as "${id}"` };
const asBytes = {
  path: "$.message.parts[1].file.data",
  message: "is used instead of bytes; read as bytes",
};

interface Seed {
  readonly name: string;
  readonly json: JsonObject;
  readonly envelope?: ReadingNote[];
  readonly notes?: ReadingNote[];
}

const call = (method: string, params: JsonObject, rpcId: number = 1): JsonObject => ({
  jsonrpc: "2.0",
  id: rpcId,
  method,
  params: { ...params },
});

const missing: ReadingNote[] = [
  { path: "$.jsonrpc", message: 'is missing; assumed to be "2.0"' },
  { path: "$.id", message: "is missing; assumed to be null" },
];

const requests: Seed[] = [
  { name: "send", json: call("tasks/send", { id, message: say("high water?"), metadata: {} }) },
  { name: "get", json: call("tasks/get", { id, historyLength: 10, metadata: {} }) },
  { name: "cancel", json: call("tasks/cancel", { id, metadata: {} }) },
  {
    name: "push set",
    json: call("tasks/pushNotification/set", {
      id,
      pushNotificationConfig: { url: "https://hooks.example/t", authentication: { schemes: ["jwt"] } },
    }),
  },
  { name: "push get", json: call("tasks/pushNotification/get", { id }) },
  { name: "first turn", json: call("tasks/send", { id, message: say("a chart, please"), metadata: {} }) },
  { name: "second turn", json: call("tasks/send", { id, sessionId, message: say("Whitby"), metadata: {} }, 2) },
  {
    name: "stream, without jsonrpc and id, with a file under data",
    json: {
      method: "tasks/sendSubscribe",
      params: {
        id,
        sessionId,
        message: { role: "user", parts: [{ type: "text", text: "what is this?" }, picture] },
        metadata: {},
      },
    },
    envelope: missing,
    notes: [asBytes],
  },
  {
    name: "resubscribe, without jsonrpc and id",
    json: { method: "tasks/resubscribe", params: { id, metadata: {} } },
    envelope: missing,
  },
  {
    name: "a file under data that is no base64",
    json: call(
      "tasks/send",
      {
        id,
        sessionId,
        message: {
          role: "user",
          parts: [
            { type: "text", text: "read this" },
            { type: "file", file: { mimeType: "application/pdf", data: "<the report>" } },
          ],
        },
        metadata: {},
      },
      9,
    ),
    notes: [asBytes, { path: asBytes.path, message: "is not base64; read as plain text" }],
  },
  { name: "get without historyLength", json: call("tasks/get", { id, metadata: {} }, 10) },
  {
    name: "structured output asked for in a part's metadata",
    json: call(
      "tasks/send",
      {
        id,
        sessionId,
        message: say("list the ports", { metadata: { mimeType: "application/json", schema: { type: "array" } } }),
        metadata: {},
      },
      9,
    ),
  },
];

const answer = (result: JsonObject, rpcId: number = 1): JsonObject => ({ jsonrpc: "2.0", id: rpcId, result });
const done = { state: "completed" };
const text = (words: string): JsonObject[] => [{ type: "text", text: words }];

const answers: (Seed & { operation: Operation; asked?: number | null })[] = [
  {
    name: "send: an artifact without index, a status without timestamp",
    operation: "SendMessage",
    json: answer({ id, sessionId, status: done, artifacts: [{ name: "tides", parts: text("04:12") }], metadata: {} }),
  },
  {
    name: "get: with history",
    operation: "GetTask",
    json: answer({
      id,
      sessionId,
      status: done,
      artifacts: [{ parts: text("04:12") }],
      history: [say("when?")],
      metadata: {},
    }),
  },
  {
    name: "cancel: the task id is the number of the call",
    operation: "CancelTask",
    json: answer({ id: 1, sessionId, status: { state: "canceled" }, metadata: {} }),
    notes: [numbered],
  },
  ...["CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig"].map((operation) => ({
    name: operation,
    operation: operation as Operation,
    json: answer({
      id,
      pushNotificationConfig: { url: "https://hooks.example/t", authentication: { schemes: ["jwt"] } },
    }),
  })),
  {
    name: "send: a status message without role",
    operation: "SendMessage",
    json: answer({
      id,
      sessionId,
      status: { state: "input-required", message: { parts: text("Which port?") } },
      metadata: {},
    }),
    notes: [{ path: "$.status.message.role", message: 'is missing; assumed to be "agent"' }],
  },
  {
    name: "send: the number of the call again",
    operation: "SendMessage",
    asked: 2,
    json: answer(
      {
        id: 1,
        sessionId,
        status: done,
        artifacts: [{ name: "order", parts: text("ordered"), metadata: {} }],
        metadata: {},
      },
      2,
    ),
    notes: [numbered],
  },
  {
    name: "stream: a status event with a number for its task and a time without zone, and an id nobody asked with",
    operation: "SendStreamingMessage",
    asked: null,
    json: answer({ id: 1, status: { state: "working", timestamp: "2025-04-02T16:59:25.331844" }, final: false }),
    envelope: [{ path: "$.id", message: "is 1; the request had null" }],
    notes: [
      numbered,
      { path: "$.status.timestamp", message: '"2025-04-02T16:59:25.331844" has no time zone; assumed to be UTC' },
    ],
  },
  {
    name: "resubscribe: a list of artifacts",
    operation: "SubscribeToTask",
    asked: null,
    json: answer({ id, artifact: [{ parts: text("part 2"), index: 0, append: true, lastChunk: false }] }),
    envelope: [{ path: "$.id", message: "is 1; the request had null" }],
    notes: [{ path: "$.artifact", message: "is a list; each element was read as an event" }],
  },
  {
    name: "send: still working, the answer in the status",
    operation: "SendMessage",
    asked: 9,
    json: answer(
      {
        id,
        sessionId,
        status: { state: "working", message: { role: "agent", parts: text("wait"), metadata: {} } },
        metadata: {},
      },
      9,
    ),
  },
  {
    name: "get: the id of another call",
    operation: "GetTask",
    asked: 10,
    json: answer({ id, sessionId, status: done, artifacts: [{ parts: text("read"), metadata: {} }], metadata: {} }, 9),
    envelope: [{ path: "$.id", message: "is 9; the request had 10" }],
  },
  {
    name: "send: structured output as text",
    operation: "SendMessage",
    asked: 9,
    json: answer(
      {
        id,
        sessionId,
        status: { state: "working", message: { role: "agent", parts: text('["Whitby"]'), metadata: {} } },
        metadata: {},
      },
      9,
    ),
  },
];

test("the page has 25 payloads", () => {
  expect([requests.length, answers.length]).toEqual([12, 12]);
});

describe("a request of the page is read", () => {
  test.each(requests)("$name", ({ json, envelope = [], notes }) => {
    const { call: read, notes: loose } = readLooseCall(json);
    expect(loose).toEqual(envelope);
    const operation = v01.operationOf(read!.method)!;
    const reading = v01.readRequest(operation, read!.params);
    expect(reading.violations).toBe(undefined);
    expect(reading.notes).toEqual(notes);
    // Writing again gives what the schema wants, and that reads without a word.
    const again = v01.readRequest(operation, v01.writeRequest(operation, reading.value as never));
    expect(again.notes).toBe(undefined);
  });
});

describe("an answer of the page is read", () => {
  test.each(answers)("$name", ({ json, operation, asked = 1, envelope = [], notes }) => {
    const { answer: read, notes: loose } = readLooseAnswer(json, asked);
    expect(loose).toEqual(envelope);
    const exchange = { ...startExchange(), taskId: id };
    const { result } = read as { result: JsonValue };
    const streamed = operation === "SendStreamingMessage" || operation === "SubscribeToTask";
    const reading = streamed ? v01.readEvents(result, exchange) : v01.readAnswer(operation, result, exchange);
    expect(reading.violations).toBe(undefined);
    expect(reading.notes).toEqual(notes);
    // Whatever stood there: the task is the one that was asked about.
    expect(JSON.stringify(reading.value)).toContain(id);
  });
});

test("the card of the page is read: a text where the schema has a list", () => {
  const card = {
    name: "Harbour Tide Desk",
    description: "Answers questions about tides.",
    url: "https://tide.example",
    provider: { organization: "Saltmarsh Labs", url: "https://saltmarsh.example" },
    version: "1.0.0",
    authentication: { schemes: "OAuth2" },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain", "application/html"],
    capabilities: { streaming: true, pushNotifications: false },
    skills: [{ id: "tide", name: "Tides", description: "d", tags: ["t"], examples: ["e"], outputModes: ["video/mp4"] }],
  };
  const { value, notes } = v01.readCard(card);
  expect(notes).toEqual([
    { path: "$.authentication.schemes", message: 'is the string "OAuth2"; read as a list with one element' },
  ]);
  expect(value!.securitySchemes).toEqual({ OAuth2: { httpAuthSecurityScheme: { scheme: "OAuth2" } } });
  expect(v01.writeCard(value!)).toEqual({ ...card, authentication: { schemes: ["OAuth2"] } });
});

describe("beyond the page, what the first schema and the two reference servers let pass", () => {
  const params = (message: JsonValue, more: JsonObject = {}): JsonValue => ({ id, message, ...more });
  const parts = (...list: JsonValue[]): JsonValue => ({ role: "user", parts: list });

  test.each<[string, JsonValue, ReadingNote[]]>([
    [
      "null for what is not given",
      params(say("x"), { sessionId: null, metadata: null }),
      [
        { path: "$.sessionId", message: "is null; read as not set" },
        { path: "$.metadata", message: "is null; read as not set" },
      ],
    ],
    [
      "a part without type",
      params(parts({ text: "x" })),
      [{ path: "$.message.parts[0].type", message: 'is missing; assumed to be "text"' }],
    ],
    [
      "a part with a later dialect's kind",
      params(parts({ kind: "text", text: "x" })),
      [{ path: "$.message.parts[0].kind", message: 'is used instead of "type", which this dialect requires' }],
    ],
    [
      "a list as data",
      params(parts({ type: "data", data: [1, 2] })),
      [{ path: "$.message.parts[0].data", message: "is not an object; kept unchanged" }],
    ],
    [
      "an empty file",
      params(parts({ type: "file", file: { name: "a" } })),
      [{ path: "$.message.parts[0].file", message: "has neither bytes nor uri; read as an empty file" }],
    ],
    [
      "a file twice",
      params(parts({ type: "file", file: { bytes: "aGk=", uri: "https://a.example" } })),
      [{ path: "$.message.parts[0].file", message: "has bytes and uri; the uri was ignored" }],
    ],
    [
      "URL-safe base64",
      params(parts({ type: "file", file: { bytes: "-_8" } })),
      [{ path: "$.message.parts[0].file.bytes", message: "is base64 in a nonstandard form" }],
    ],
    ["a number as task id", { id: 7, message: say("x") }, [{ path: "$.id", message: 'is the number 7; read as "7"' }]],
    [
      "a message without role",
      params({ parts: text("x") }),
      [{ path: "$.message.role", message: 'is missing; assumed to be "user"' }],
    ],
  ])("%s", (_name, json, notes) => {
    const reading = v01.readRequest("SendMessage", json);
    expect(reading.violations).toBe(undefined);
    expect(reading.notes).toEqual(notes);
  });

  test("what cannot be meant is refused at its place", () => {
    const { violations } = v01.readRequest("SendMessage", params(parts({ type: "video", video: 1 }, {}), { id: {} }));
    expect(violations).toMatchObject([
      { path: "$.id", message: "expected a string, got an object" },
      { path: "$.message.parts[0].type", message: 'expected a type of this version, got "video"' },
      { path: "$.message.parts[1].type", message: "is required and missing" },
    ]);
  });

  test("artifacts without an index, or with one that is taken, are told apart by their order", () => {
    const artifacts = [{ parts: [] }, { parts: [] }, { index: 1, parts: [] }, { index: 1, parts: [] }];
    const { value, notes } = v01.readAnswer("GetTask", { id, status: done, artifacts });
    expect(value!.artifacts!.map(({ artifactId }) => artifactId)).toEqual([
      "v01-artifact-0",
      "v01-artifact-2",
      "v01-artifact-1",
      "v01-artifact-3",
    ]);
    expect(notes).toEqual([
      {
        path: "$.artifacts[3].index",
        message: "1 is already used by another artifact; this artifact got the next free index",
      },
    ]);
  });

  test("the JS server's wrapped errors are unwrapped", () => {
    const failure = parseJson(
      '{"code":-32603,"message":"Internal error","data":{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Task not found"}}}',
    );
    expect(v01.readError(failure as never).kind).toBe("TaskNotFound");
  });
});

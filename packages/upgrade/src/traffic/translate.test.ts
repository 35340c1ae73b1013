import { A2AError, type JsonObject } from "@assay/protocol";
import { framed, grpcV03, writeStatusDetails } from "@assay/protocol/grpc";
import type { ExchangeRecorded } from "@assay/suite/report";
import { expect, test } from "vitest";
import { behaviourOf } from "../behaviour.ts";
import { changesIn } from "./changes.ts";
import { type RecordedCall, readExchange } from "./read-exchange.ts";
import { type TranslatedCall, translateAll, type WireMessage } from "./translate.ts";

const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
const task = (state: string): JsonObject => ({ kind: "task", id: "t1", contextId: "c1", status: { state } });

const call = (
  operation: RecordedCall["operation"],
  method: string,
  params: JsonObject,
  answer: JsonObject,
): RecordedCall => ({
  id: "x1",
  operation,
  dialect: "0.3",
  binding: "JSONRPC",
  request: { verb: "POST", path: "/", base: "", params, body: { jsonrpc: "2.0", id: 1, method, params } },
  response: { status: 200, body: { jsonrpc: "2.0", id: 1, ...answer } },
});

const streamed = (
  operation: RecordedCall["operation"],
  method: string,
  params: JsonObject,
  events: readonly JsonObject[],
): RecordedCall => ({
  ...call(operation, method, params, {}),
  response: {
    status: 200,
    contentType: "text/event-stream",
    events: events.map((event) => ({ jsonrpc: "2.0", id: 1, ...event })),
  },
});

test("a message and its task are written in 1.0", () => {
  const [sent] = translateAll([call("SendMessage", "message/send", { message }, { result: task("completed") })]);
  expect(sent!.request.next.body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } },
  });
  expect(sent!.response.next.body).toMatchObject({
    result: { task: { id: "t1", status: { state: "TASK_STATE_COMPLETED" } } },
  });
  expect(changesIn(sent!).map(({ id }) => id)).toEqual([
    "method",
    "version-header",
    "wrapper",
    "kind",
    "part",
    "state",
    "role",
  ]);
});

test("a message to an ended task gets the error that 1.0 names, and the plan says so", () => {
  const refused = { error: { code: -32600, message: "Task t1 is in a terminal state" } };
  const calls = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") }),
    call("SendMessage", "message/send", { message: { ...message, taskId: "t1" } }, refused),
  ]);
  expect(calls[1]!.response.next.body).toMatchObject({
    error: { code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] },
  });
  expect(behaviourOf("SendMessage", calls).find(({ rule }) => rule === "SEND-008")).toMatchObject({ isMet: false });
});

test("the same error before the end of the task stays", () => {
  const refused = { error: { code: -32600, message: "no" } };
  const [only] = translateAll([
    call("SendMessage", "message/send", { message: { ...message, taskId: "t1" } }, refused),
  ]);
  expect(only!.response.next.body).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: "no" } });
});

test("an operation that the card does not declare gets the error that 1.0 names", () => {
  const set = call(
    "CreateTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/set",
    { taskId: "t1", pushNotificationConfig: { url: "https://a.example/" } },
    { error: { code: -32602, message: "no" } },
  );
  const [undeclared] = translateAll([set], { ...everything, pushNotifications: false });
  expect(undeclared!.response.next.body).toMatchObject({ error: { code: -32003 } });
  expect(changesIn(undeclared!).map(({ id }) => id)).toEqual(["method", "version-header", "error-details"]);
  const [, declared] = translateAll(
    [call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") }), set],
    everything,
  );
  expect(declared!.response.next.body).toMatchObject({ error: { code: -32602 } });
  expect(changesIn(declared!).map(({ id }) => id)).toContain("push-config");
});

const everything = { streaming: true, pushNotifications: true, extendedAgentCard: false };

/** Writes the response to a call in 1.0, after calls that show the store of the agent. */
const answered = (last: RecordedCall, before: readonly RecordedCall[] = []): WireMessage =>
  translateAll([...before, last], everything).at(-1)!.response.next;

const internal = { error: { code: -32603, message: "no" } };
const configOf = (taskId: string, id: string): JsonObject => ({
  taskId,
  pushNotificationConfig: { id, url: "https://a.example/" },
});

test.each([
  ["an internal error", call("GetTask", "tasks/get", { id: "t2" }, internal)],
  ["another error", call("CancelTask", "tasks/cancel", { id: "t2" }, { error: { code: -32002, message: "no" } })],
  [
    "a method that is missing",
    call("SubscribeToTask", "tasks/resubscribe", { id: "t2" }, { error: { code: -32601, message: "no" } }),
  ],
  [
    "a new task",
    call(
      "SendMessage",
      "message/send",
      { message: { ...message, taskId: "t2" } },
      { result: { ...task("completed"), id: "t2" } },
    ),
  ],
  [
    "a configuration",
    call("CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set", configOf("t2", "p1"), {
      result: configOf("t2", "p1"),
    }),
  ],
  [
    "an empty list",
    call("ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list", { id: "t2" }, { result: [] }),
  ],
  [
    "a deletion",
    call(
      "DeleteTaskPushNotificationConfig",
      "tasks/pushNotificationConfig/delete",
      { id: "t2", pushNotificationConfigId: "p1" },
      { result: null },
    ),
  ],
  ["an empty stream", streamed("SubscribeToTask", "tasks/resubscribe", { id: "t2" }, [])],
  ["an error in a stream", streamed("SubscribeToTask", "tasks/resubscribe", { id: "t2" }, [internal])],
] as const)("%s for an unknown task becomes TaskNotFoundError", (_, refused) => {
  const { body, events } = answered(refused, [call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") })]);
  expect(body ?? events?.[0]).toMatchObject({ id: 1, error: { code: -32001, data: [{ reason: "TASK_NOT_FOUND" }] } });
});

test("a call without a login stays unauthenticated, whatever the card lacks and whichever task it names", () => {
  const rest = (operation: RecordedCall["operation"], path: string): RecordedCall => ({
    id: "x1",
    operation,
    dialect: "0.3",
    binding: "HTTP+JSON",
    request: { verb: "POST", path, base: "", params: { name: "tasks/t1" }, body: {} },
    response: { status: 401, body: { code: 401, message: "API key missing" } },
  });
  const ended = call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") });
  const cards = { ...everything, streaming: false, pushNotifications: false, extendedAgentCard: false };
  const calls = translateAll(
    [
      ended,
      rest("SubscribeToTask", "/v1/tasks/t1:subscribe"),
      rest("CancelTask", "/v1/tasks/t1:cancel"),
      rest("GetExtendedAgentCard", "/v1/card"),
    ],
    cards,
  );
  expect(calls.slice(1).map(({ response }) => response.next.line)).toEqual(["HTTP 401", "HTTP 401", "HTTP 401"]);
  expect(behaviourOf("CancelTask", calls)).toEqual([{ rule: "CANCEL-002", text: expect.anything() }]);
});

test("an agent without an extended card refuses to return one in 1.0", () => {
  const got = call("GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard", {}, { result: { name: "Weather" } });
  const [translated] = translateAll([got], { ...everything, extendedAgentCard: false });
  expect(translated!.response.next.body).toMatchObject({ error: { code: -32004 } });
  const [declared] = translateAll([got], { ...everything, extendedAgentCard: true });
  expect(declared!.response.next.body).toHaveProperty("result");
});

test("only the error for an ended task shows how the agent cancels one", () => {
  const cancel = (code: number): RecordedCall =>
    call("CancelTask", "tasks/cancel", { id: "t1" }, { error: { code, message: "no" } });
  const ended = call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") });
  const shown = (...calls: RecordedCall[]) =>
    behaviourOf(
      "CancelTask",
      translateAll(calls, everything).filter(({ call: { operation } }) => operation === "CancelTask"),
    );
  expect(shown(cancel(-32602), ended)).toEqual([expect.not.objectContaining({ isMet: expect.anything() })]);
  expect(shown(ended, cancel(-32602))).toMatchObject([{ isMet: false }]);
  expect(shown(ended, cancel(-32002))).toMatchObject([{ isMet: true }]);
});

test("a request for the configuration of a task names the one that the agent returned", () => {
  const got = call(
    "GetTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/get",
    { id: "t1" },
    {
      result: { taskId: "t1", pushNotificationConfig: { id: "p1", url: "https://a.example/" } },
    },
  );
  const [translated] = translateAll([got]);
  expect(translated!.request.next.body).toMatchObject({ params: { taskId: "t1", id: "p1" } });
});

test("a task that a message created under an unknown id is unknown, also if the agent shows it later", () => {
  const shown = call("GetTask", "tasks/get", { id: "t2" }, { result: { ...task("completed"), id: "t2" } });
  const sent = call(
    "SendMessage",
    "message/send",
    { message: { ...message, taskId: "t2" } },
    { result: { ...task("completed"), id: "t2" } },
  );
  const [first] = translateAll([sent, shown], everything);
  expect(first!.response.next.body).toMatchObject({ error: { code: -32001 } });
});

test("a message that ends before the stream that created its task continues a known task", () => {
  const follow = call(
    "SendMessage",
    "message/send",
    { message: { ...message, taskId: "t1" } },
    { result: task("completed") },
  );
  const first = streamed("SendStreamingMessage", "message/stream", { message }, [{ result: task("working") }]);
  const [answer] = translateAll([follow, first], everything);
  expect(answer!.response.next.body).toMatchObject({ result: { task: { id: "t1" } } });
});

test("an error over HTTP+JSON for an unknown task becomes HTTP 404, also a missing route", () => {
  const rest = (status: number, body: JsonObject): RecordedCall => ({
    id: "x1",
    operation: "GetTask",
    dialect: "0.3",
    binding: "HTTP+JSON",
    request: { verb: "GET", path: "/v1/tasks/t2", base: "", params: { name: "tasks/t2" } },
    response: { status, body },
  });
  for (const status of [500, 405])
    expect(answered(rest(status, { detail: "no" }))).toMatchObject({
      line: "HTTP 404",
      headers: [["Content-Type", "application/a2a+json"]],
      body: { error: { code: 404, details: [{ reason: "TASK_NOT_FOUND" }] } },
    });
});

test.each([
  [
    "an error about the parameters",
    call("GetTask", "tasks/get", { id: "t2" }, { error: { code: -32602, message: "no" } }),
    -32602,
  ],
  [
    "another error about a task of the agent",
    call("CancelTask", "tasks/cancel", { id: "t1" }, { error: { code: -32002, message: "no" } }),
    -32002,
  ],
] as const)("%s stays", (_, refused, code) => {
  const { body } = answered(refused, [call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") })]);
  expect(body).toMatchObject({ error: { code } });
});

test("in 0.1 a client chooses the id of its task, and the agent accepts it", () => {
  const parts = [{ type: "text", text: "hi" }];
  const first: RecordedCall = {
    ...call(
      "SendMessage",
      "tasks/send",
      { id: "t2", message: { role: "user", parts } },
      { result: { id: "t2", status: { state: "completed" } } },
    ),
    dialect: "0.1",
  };
  expect(answered(first).body).toMatchObject({ result: { task: { id: "t2" } } });
  const [begun, continued] = translateAll([first, first]);
  expect(begun!.request.next.body).not.toHaveProperty("params.message.taskId");
  expect(continued!.request.next.body).toMatchObject({ params: { message: { taskId: "t2" } } });
});

test("an unknown push configuration is TaskNotFoundError, and can be deleted twice", () => {
  const known = call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") });
  const refused = { error: { code: -32602, message: "no configuration" } };
  const named = { id: "t1", pushNotificationConfigId: "p1" };
  const set = call("CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set", configOf("t1", "p1"), {
    result: configOf("t1", "p1"),
  });
  const get = call("GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get", named, refused);
  const remove = (answer: JsonObject) =>
    call("DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete", named, answer);
  expect(answered(get, [known]).body).toMatchObject({ error: { code: -32001 } });
  expect(answered(get, [known, set]).body).toMatchObject({ error: { code: -32602 } });
  expect(answered(remove(refused), [known, set, remove({ result: null })]).body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {},
  });
});

test("a client without an id for its push configuration needs none in 1.0", () => {
  const set = call(
    "CreateTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/set",
    { taskId: "t1", pushNotificationConfig: { url: "https://a.example/" } },
    { result: { taskId: "t1", pushNotificationConfig: { id: "p1", url: "https://a.example/" } } },
  );
  const [translated] = translateAll([set]);
  expect(translated!.request.next.body).toMatchObject({ params: { taskId: "t1", url: "https://a.example/" } });
  expect(translated!.request.next.body).not.toHaveProperty("params.id");
});

test("a response has the id of its request and the media type of JSON-RPC", () => {
  const odd = call("GetTask", "tasks/get", { id: "t1" }, { id: "1", result: task("working") });
  const { headers, body } = answered({ ...odd, response: { ...odd.response, contentType: "text/plain" } });
  expect({ headers, body }).toMatchObject({ headers: [["Content-Type", "application/json"]], body: { id: 1 } });
});

test("a subscription to an ended task is rejected in 1.0", () => {
  const subscribed = (...states: readonly string[]): RecordedCall =>
    streamed(
      "SubscribeToTask",
      "tasks/resubscribe",
      { id: "t1" },
      states.map((state) => ({ result: task(state) })),
    );
  expect(answered(subscribed("completed")).events?.[0]).toMatchObject({ error: { code: -32004 } });
  expect(answered(subscribed("working", "completed")).events).toHaveLength(2);
});

test.each([
  ["accepts", [{ result: task("completed") }], false, "The agent accepts it."],
  ["rejects", [{ error: { code: -32602, message: "ended" } }], false, "The agent answers with another error."],
  ["rightly rejects", [{ error: { code: -32004, message: "ended" } }], true, "The agent answers with this error."],
])("the plan says that an agent %s a subscription to an ended task", (_, events, isMet, today) => {
  const calls = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") }),
    streamed("SubscribeToTask", "tasks/resubscribe", { id: "t1" }, events),
  ]);
  expect(behaviourOf("SubscribeToTask", calls).find(({ rule }) => rule === "SUB-003")).toMatchObject({ isMet, today });
});

test("a stream without an event that can be read is left out", () => {
  expect(translateAll([streamed("SendStreamingMessage", "message/stream", { message }, [])], everything)).toEqual([]);
});

test("an operation that the agent lacks, or that failed, is left out", () => {
  const known = call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") });
  const lacking = call(
    "SubscribeToTask",
    "tasks/resubscribe",
    { id: "t1" },
    { error: { code: -32601, message: "no" } },
  );
  const failing = call("GetTask", "tasks/get", { id: "t1" }, internal);
  expect(translateAll([known, lacking, failing], everything)).toHaveLength(1);
});

test.each([
  ["SendMessage", "message/send"],
  ["SendStreamingMessage", "message/stream"],
] as const)("%s with a part of an unknown media type gets ContentTypeNotSupportedError", (operation, method) => {
  const file = { kind: "file", file: { bytes: "aGk=", mimeType: "application/x-a2a-unknown" } };
  const send = (parts: readonly JsonObject[], code: number): RecordedCall =>
    call(operation, method, { message: { ...message, parts: [...parts] } }, { error: { code, message: "text only" } });
  expect(answered(send([...message.parts, file], -32602)).body).toMatchObject({
    error: { code: -32005, message: "text only", data: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }] },
  });
  expect(answered(send([...message.parts, file], -32006)).body).toMatchObject({ error: { code: -32006 } });
  expect(answered(send(message.parts, -32602)).body).toMatchObject({ error: { code: -32602 } });
});

test("the plan leaves out a push configuration with an invalid URL that the agent accepted", () => {
  const known = call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") });
  const set = (url: string, answer?: JsonObject): RecordedCall => {
    const config = { taskId: "t1", pushNotificationConfig: { id: "p1", url } };
    return call(
      "CreateTaskPushNotificationConfig",
      "tasks/pushNotificationConfig/set",
      config,
      answer ?? { result: config },
    );
  };
  expect(translateAll([known, set("not a url")], everything)).toHaveLength(1);
  expect(translateAll([known, set("https://a.example/")], everything)).toHaveLength(2);
  const refused = { error: { code: -32602, message: "no" } };
  expect(answered(set("not a url", refused), [known]).body).toMatchObject({ error: { code: -32602 } });
});

test("the error of a stream without an event stays in the stream", () => {
  const { headers, events } = answered(streamed("SubscribeToTask", "tasks/resubscribe", { id: "t2" }, []));
  expect(headers).toEqual([["Content-Type", "text/event-stream"]]);
  expect(events).toMatchObject([{ error: { code: -32001 } }]);
});

test("a body that an error of 1.0 replaces gives no example of a change", () => {
  const odd = call("GetTask", "tasks/get", { id: "t2" }, { role: "agent", parts: [{ type: "text", text: "no" }] });
  const [translated] = translateAll([odd], everything);
  expect(translated!.error).toMatchObject({ kind: "TaskNotFound" });
  expect(changesIn(translated!).map(({ id }) => id)).toEqual(["method", "version-header", "error-details"]);
});

test("an error that A2A does not define has no reason over HTTP+JSON either", () => {
  const failed: RecordedCall = {
    ...call("SendMessage", "", {}, {}),
    binding: "HTTP+JSON",
    request: {
      verb: "POST",
      path: "/v1/message:send",
      base: "",
      params: { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } },
    },
    response: { status: 422, body: { code: -32602, message: "no" } },
  };
  expect(answered(failed)).toMatchObject({ line: "HTTP 400", body: { error: { status: "INVALID_ARGUMENT" } } });
  expect(answered(failed).body).not.toHaveProperty("error.details");
});

test.each([
  ["an id with a fraction", { id: 4.5 }, []],
  ["no id", {}, []],
  ["another version", { id: 1 }, [{ name: "A2A-Version", value: "99.0" }]],
] as const)("a request with %s is left out, because it provokes an error", (_, more, headers) => {
  const asked = (own: object, named: readonly object[]): ExchangeRecorded =>
    ({
      event: "exchange",
      id: "x1",
      operation: "GetTask",
      interface: { url: "http://127.0.0.1:1/", dialect: "0.3", binding: "JSONRPC" },
      entry: {
        request: {
          method: "POST",
          url: "http://127.0.0.1:1/",
          headers: named,
          postData: { text: JSON.stringify({ jsonrpc: "2.0", method: "tasks/get", params: { id: "t1" }, ...own }) },
        },
        response: {
          status: 200,
          headers: [],
          content: { text: JSON.stringify({ jsonrpc: "2.0", id: 1, ...internal }) },
        },
      },
    }) as unknown as ExchangeRecorded;
  expect(readExchange(asked(more, headers))).toBeUndefined();
  expect(readExchange(asked({ id: 1 }, [{ name: "A2A-Version", value: "0.3" }]))).toBeDefined();
});

test("an empty list over gRPC stays as it is, because protobuf does not write it", () => {
  const list: RecordedCall = {
    ...call("ListTaskPushNotificationConfigs", "", {}, {}),
    binding: "GRPC",
    request: {
      verb: "POST",
      path: "/a2a.v1.A2AService/ListTaskPushNotificationConfig",
      base: "",
      params: { parent: "tasks/t1" },
      body: { parent: "tasks/t1" },
    },
    response: { status: 200, body: {} },
  };
  expect(answered(list, [call("GetTask", "tasks/get", { id: "t1" }, { result: task("working") })]).body).toEqual({});
  expect(answered(list)).toEqual({
    line: "grpc-status: NOT_FOUND",
    headers: [],
    body: {
      message: "Task not found",
      details: [expect.objectContaining({ reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" })],
    },
  });
});

test("a request that breaks its version is left out", () => {
  expect(translateAll([call("SendMessage", "message/send", { message: 5 }, { result: task("completed") })])).toEqual(
    [],
  );
});

test("a response that breaks its version is translated as far as possible, and told", () => {
  const [odd] = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: { ...task("done"), artifacts: 7 } }),
  ]);
  expect(odd!.response.next.body).toMatchObject({ result: { id: "t1", artifacts: 7 } });
  expect(odd!.faults.length).toBeGreaterThan(0);
});

test("free data is not taken for members of the protocol", () => {
  const data = { kind: "data", data: { kind: "task", state: "working", final: true } };
  const sent = call(
    "SendMessage",
    "message/send",
    { message: { ...message, parts: [data] } },
    { result: task("completed") },
  );
  const [translated] = translateAll([sent]);
  expect(changesIn(translated!).map(({ id }) => id)).not.toContain("final");
});

const grpcCall = (status: string): ExchangeRecorded => {
  const base64 = (bytes: Uint8Array): string => Buffer.from(framed(bytes)).toString("base64");
  const answer = grpcV03.writeAnswer("GetTask", {
    id: "t1",
    contextId: "c1",
    status: { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:00.123456789Z" },
  });
  return {
    event: "exchange",
    id: "x1",
    operation: "GetTask",
    interface: { url: "http://127.0.0.1:1/", dialect: "0.3", binding: "GRPC" },
    entry: {
      request: {
        method: "POST",
        url: "http://127.0.0.1:1/a2a.v1.A2AService/GetTask",
        headers: [],
        postData: { text: base64(grpcV03.writeRequest("GetTask", { name: "tasks/t1" })), _encoding: "base64" },
      },
      response: {
        status: 200,
        headers: [],
        content: { text: base64(answer), encoding: "base64" },
        _trailers: [{ name: "grpc-status", value: status }],
      },
    },
  } as unknown as ExchangeRecorded;
};

test("a call over gRPC is written in 1.0, as ProtoJSON", () => {
  const [read] = translateAll([readExchange(grpcCall("0"))!]);
  expect(read!.request).toMatchObject({
    today: { line: "a2a.v1.A2AService/GetTask", body: { name: "tasks/t1" } },
    next: { line: "lf.a2a.v1.A2AService/GetTask", body: { id: "t1" } },
  });
  expect(read!.response.next.body).toMatchObject({ id: "t1", status: { state: "TASK_STATE_WORKING" } });
  expect(changesIn(read!).map(({ id }) => id)).toEqual(["package", "version-header", "resource-name"]);
});

const grpcError = (status: string, message: string, details?: Uint8Array): ExchangeRecorded => {
  const { entry, ...rest } = grpcCall(status);
  const trailers = [
    { name: "grpc-status", value: status },
    { name: "grpc-message", value: message },
    ...(details ? [{ name: "grpc-status-details-bin", value: Buffer.from(details).toString("base64") }] : []),
  ];
  return { ...rest, entry: { ...entry, response: { ...entry.response, _trailers: trailers } } };
};

const unknownTask = new A2AError("TaskNotFound", "no t1", { facts: { taskId: "t1" } });

test.each([
  ["by its status", grpcError("5", "no%20t1"), { message: "no t1" }],
  ["by the name that SDKs write", grpcError("2", "TaskNotFoundError: no t1"), { message: "TaskNotFoundError: no t1" }],
  [
    "by its reason",
    grpcError("5", "no t1", writeStatusDetails(unknownTask)),
    { details: [{ reason: "TASK_NOT_FOUND" }] },
  ],
])("an error over gRPC is known %s, and has its status, message and details in 1.0", (_, exchange, today) => {
  const [read] = translateAll([readExchange(exchange)!]);
  expect(read!.error?.kind).toBe("TaskNotFound");
  expect(read!.response.today).toMatchObject({
    line: expect.stringMatching(/^grpc-status: (NOT_FOUND|UNKNOWN)$/),
    body: today,
  });
  expect(read!.response.next).toMatchObject({
    line: "grpc-status: NOT_FOUND",
    body: {
      message: expect.stringContaining("no t1"),
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND" }],
    },
  });
});

test.each(["4", "8", "14", "99", "x"])("a failure of the network over gRPC, status %s, is not shown", (status) => {
  expect(readExchange(grpcError(status, ""))).toBeUndefined();
});

test("an error over gRPC that an agent lacks the operation, or failed, is not shown", () => {
  const known = readExchange(grpcCall("0"))!;
  for (const status of ["12", "13"])
    expect(translateAll([known, readExchange(grpcError(status, ""))!])).toHaveLength(1);
});

test("a call over gRPC that names another version is not shown", () => {
  const { entry, ...rest } = grpcError("9", "");
  const headers = [{ name: "a2a-version", value: "99.0" }];
  expect(readExchange({ ...rest, entry: { ...entry, request: { ...entry.request, headers } } })).toBeUndefined();
});

test("a status of gRPC that several errors share does not show how a message to an ended task is refused", () => {
  const refused = (reason?: string): TranslatedCall[] => [
    {
      call: { operation: "SendMessage", binding: "GRPC" },
      error: new A2AError("UnsupportedOperation", "ended"),
      isForEndedTask: true,
      response: {
        today: {
          line: "grpc-status: FAILED_PRECONDITION",
          headers: [],
          body: { message: "ended", ...(reason !== undefined && { details: [{ reason }] }) },
        },
        next: { line: "grpc-status: FAILED_PRECONDITION", headers: [] },
      },
    } as unknown as TranslatedCall,
  ];
  const isMet = (calls: TranslatedCall[]) =>
    behaviourOf("SendMessage", calls, ["GRPC"]).find(({ rule }) => rule === "SEND-008")!.isMet;
  expect(isMet(refused())).toBeUndefined();
  expect(isMet(refused("UNSUPPORTED_OPERATION"))).toBe(true);
  expect(isMet(refused("TASK_NOT_FOUND"))).toBe(false);
});

test("the right error with the status of an older version is a change", () => {
  const ended = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } };
  const over = (
    operation: RecordedCall["operation"],
    path: string,
    response: RecordedCall["response"],
  ): RecordedCall => {
    const request = {
      verb: operation === "GetTask" ? "GET" : "POST",
      path,
      base: "",
      params: { id: "t1", name: "tasks/t1" },
    };
    return { id: path, operation, dialect: "0.3", binding: "HTTP+JSON", request, response };
  };
  const refused = (status: number): unknown =>
    behaviourOf(
      "CancelTask",
      translateAll([
        over("GetTask", "/v1/tasks/t1", { status: 200, body: ended }),
        over("CancelTask", "/v1/tasks/t1:cancel", { status, body: { code: -32002, message: "ended" } }),
      ]).slice(1),
    )[0];
  expect(refused(400)).toMatchObject({ today: "The agent answers with TaskNotCancelableError.", isMet: true });
  expect(refused(409)).toMatchObject({
    today: "The agent answers with TaskNotCancelableError, but with HTTP 409 over HTTP+JSON.",
    isMet: false,
  });
});

test("an error that is right today keeps its details", () => {
  const data = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "UNSUPPORTED_OPERATION",
      metadata: { state: "completed" },
    },
  ];
  const refused = { error: { code: -32004, message: "Task t1 has ended", data } };
  const [, sent] = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") }),
    call("SendMessage", "message/send", { message: { ...message, taskId: "t1" } }, refused),
  ]);
  expect(sent!.response.next.body).toMatchObject({ error: { data: [{ metadata: { state: "completed" } }] } });
});

test("a subscription with GET stays one, because 1.0 allows both methods", () => {
  const [read] = translateAll([
    {
      id: "x1",
      operation: "SubscribeToTask",
      dialect: "0.3",
      binding: "HTTP+JSON",
      request: { verb: "GET", path: "/v1/tasks/t1:subscribe", base: "", params: { id: "t1", name: "tasks/t1" } },
      response: {
        status: 200,
        events: [{ task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } } }],
      },
    },
  ]);
  expect(read!.request.next).toEqual({ line: "GET /tasks/t1:subscribe", headers: [["A2A-Version", "1.0"]] });
});

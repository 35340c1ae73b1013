import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { v10 } from "../dialects/v1.0/dialect.ts";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../json.ts";
import { type Operation, operations } from "../operations.ts";
import { grpcV10, ProtobufError } from "./grpc-service.ts";

const everyOperation = Object.keys(operations) as Operation[];

test("each operation has the path of its call, and is found by it", () => {
  for (const operation of everyOperation) {
    expect(grpcV10.path(operation)).toBe(`/lf.a2a.v1.A2AService/${operation}`);
    expect(grpcV10.operationAt(grpcV10.path(operation)!)).toBe(operation);
  }
});

test.each([
  "",
  "/",
  "/lf.a2a.v1.A2AService/",
  "/lf.a2a.v1.A2AService/sendMessage",
  "/lf.a2a.v1.A2AService/toString",
  "/a2a.v1.A2AService/SendMessage",
  "/lf.a2a.v1.A2AService/SendMessage/",
])("%j is no call of ours", (path) => {
  expect(grpcV10.operationAt(path)).toBe(undefined);
});

/** Every example of 1.0, whichever binding it was written for, by operation and direction. */
const folder = new URL("../../examples/v1.0/", import.meta.url);
const byFile: Record<string, Operation> = {
  send: "SendMessage",
  stream: "SendStreamingMessage",
  get: "GetTask",
  list: "ListTasks",
  cancel: "CancelTask",
  subscribe: "SubscribeToTask",
  "push-create": "CreateTaskPushNotificationConfig",
  "push-get": "GetTaskPushNotificationConfig",
  "push-list": "ListTaskPushNotificationConfigs",
  "push-delete": "DeleteTaskPushNotificationConfig",
  "extended-card": "GetExtendedAgentCard",
  card: "GetExtendedAgentCard",
  webhook: "SendStreamingMessage",
};

const examples = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".json") && !/error\./.test(file))
  .flatMap((file) => {
    const json = parseJson(readFileSync(new URL(file, folder), "utf8"));
    const operation = byFile[file.split("/").at(-1)!.split(".")[0]!]!;
    const isRequest = file.includes(".request");
    return (Array.isArray(json) ? json : [json]).map((one, index) => ({
      name: `${file}${Array.isArray(json) ? `[${index}]` : ""}`,
      operation,
      isRequest,
      payload: file.startsWith("jsonrpc/") ? payloadOf(one as JsonObject) : one,
    }));
  });

function payloadOf(envelope: JsonObject): JsonValue {
  return envelope["params"] ?? envelope["result"] ?? {};
}

/** What protobuf cannot tell from absence is no difference, and neither is how long a second's fraction is. */
function plain(json: JsonValue): JsonValue {
  if (typeof json === "string") return json.replace(/^(\d{4}-\d\d-\d\dT[\d:]{8})(?:\.0+)?Z$/, "$1Z");
  if (Array.isArray(json)) return json.map(plain);
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json as JsonObject)
      .map(([name, value]) => [name, plain(value)] as const)
      .filter(([, value]) => !isDefault(value)),
  );
}

const isDefault = (value: JsonValue): boolean =>
  value === "" || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

const requests = examples.filter(({ isRequest }) => isRequest);
const answers = examples.filter(({ isRequest }) => !isRequest);

test("there is an example of a request and of an answer for every operation that has one", () => {
  const asked = new Set(requests.map(({ operation }) => operation));
  const answered = new Set(answers.map(({ operation }) => operation));
  expect(everyOperation.filter((operation) => !asked.has(operation))).toEqual([]);
  // A subscription answers with the events of the stream, and a stored configuration is read as it was created.
  const alike = ["SubscribeToTask", "GetTaskPushNotificationConfig"];
  expect(everyOperation.filter((operation) => !answered.has(operation))).toEqual(alike);
});

describe("a request survives protobuf", () => {
  test.each(requests)("$name", ({ operation, payload }) => {
    const read = grpcV10.readRequest(operation, grpcV10.writeRequest(operation, payload));
    expect(plain(read)).toEqual(plain(payload));
    const isPathless = payload && isObject(payload) && v10.readRequest(operation, payload).violations !== undefined;
    expect(v10.readRequest(operation, read).violations === undefined).toBe(!isPathless);
  });
});

describe("an answer survives protobuf, and is as valid as it was", () => {
  test.each(answers)("$name", ({ operation, payload }) => {
    const read = grpcV10.readAnswer(operation, grpcV10.writeAnswer(operation, payload));
    if (operations[operation].answer !== null) expect(plain(read)).toEqual(plain(payload));
    expect(v10.readAnswer(operation, read).violations).toBe(undefined);
  });
});

describe("required members that hold their default are there again", () => {
  const list = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };

  test("an empty list of tasks", () => {
    expect(grpcV10.readAnswer("ListTasks", grpcV10.writeAnswer("ListTasks", list))).toEqual(list);
  });

  test("no bytes at all are an empty list", () => {
    expect(grpcV10.readAnswer("ListTasks", new Uint8Array())).toEqual({ ...list, pageSize: 0 });
  });

  test("within members, lists and maps", () => {
    const flows = { clientCredentials: { tokenUrl: "https://agent.test/token", scopes: {} } };
    const card = {
      name: "n",
      description: "d",
      version: "1",
      supportedInterfaces: [{ url: "u", protocolBinding: "GRPC", protocolVersion: "1.0" }],
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: "s", name: "n", description: "d", tags: [] }],
      securitySchemes: { login: { oauth2SecurityScheme: { flows } } },
    };
    expect(grpcV10.readAnswer("GetExtendedAgentCard", grpcV10.writeAnswer("GetExtendedAgentCard", card))).toEqual(card);
  });

  test("but nothing that protobuf knows to be absent, and no member that may be absent", () => {
    expect(grpcV10.readAnswer("GetTask", new Uint8Array())).toEqual({ id: "" });
    expect(grpcV10.readRequest("SendMessage", new Uint8Array())).toEqual({});
    expect(grpcV10.readRequest("ListTasks", new Uint8Array())).toEqual({});
    const text = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "" }] } };
    expect(grpcV10.readRequest("SendMessage", grpcV10.writeRequest("SendMessage", text))).toEqual(text);
  });
});

test("members that protobuf does not know are left behind", () => {
  expect(grpcV10.readRequest("GetTask", grpcV10.writeRequest("GetTask", { id: "t", mood: "good" }))).toEqual({
    id: "t",
  });
});

test("whatever a delete answers, nothing travels", () => {
  expect(grpcV10.writeAnswer("DeleteTaskPushNotificationConfig", null)).toEqual(new Uint8Array());
  expect(grpcV10.readAnswer("DeleteTaskPushNotificationConfig", new Uint8Array())).toEqual({});
});

test.each([
  ["a broken tag", [0xff, 0xff]],
  ["a member cut short", [0x0a, 0x05, 0x61]],
  ["text that is no UTF-8", [0x12, 0x02, 0xc3, 0x28]],
])("%s is no message", (_what, bytes) => {
  expect(() => grpcV10.readRequest("GetTask", Uint8Array.from(bytes))).toThrow(ProtobufError);
  expect(() => grpcV10.readAnswer("GetTask", Uint8Array.from([0x0a, 0x05, 0x61]))).toThrow("not a lf.a2a.v1.Task");
});

test("values nested deeper than anybody needs are refused, not followed to the end of the stack", () => {
  // A list in a list in a list: Value.list_value = 6, ListValue.values = 1.
  const inner = Uint8Array.of(0x08, 0x00);
  const heads: Uint8Array[] = [];
  for (let depth = 0, length = inner.length; depth < 20_000; depth++)
    for (const tag of [0x0a, 0x32]) length += heads[heads.push(headOf(tag, length)) - 1]!.length;
  const value = Buffer.concat([...heads.reverse(), inner]);
  const part = wrapped(0x22, value);
  const message = Uint8Array.from([...wrapped(0x0a, Uint8Array.of(0x6d)), ...wrapped(0x2a, part)]);
  expect(() => grpcV10.readRequest("SendMessage", wrapped(0x12, message))).toThrow(ProtobufError);
});

/** The tag and the length of a field. */
function headOf(tag: number, size: number): Uint8Array {
  const length: number[] = [];
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) return Uint8Array.of(tag, ...length);
  }
}

const wrapped = (tag: number, bytes: Uint8Array): Uint8Array => Buffer.concat([headOf(tag, bytes.length), bytes]);

import { describe, expect, test } from "vitest";
import { validateDialect } from "./check.ts";
import { releases } from "./releases.ts";

const message = { kind: "message", messageId: "m", role: "user", parts: [] };
const card = {
  name: "n",
  description: "d",
  url: "https://tide.example",
  version: "1",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const call = { jsonrpc: "2.0", method: "message/send", params: { message } };
const missing = (path: string) => [{ path, message: "is required and missing" }];
const absent = [{ path: "$", message: "does not exist in this release of the protocol" }];

const verdicts = (definition: string, json: unknown) =>
  Object.fromEntries(releases.map((release) => [release, validateDialect(release, definition, json)]));

const from = (first: string, later: unknown, before: unknown = []) =>
  Object.fromEntries(releases.map((release) => [release, release < first ? before : later]));

describe("releases of 0.2 differ where bytes do", () => {
  test("a card needs a protocolVersion from 0.2.5 on", () => {
    expect(verdicts("AgentCard", card)).toMatchObject(from("0.2.5", missing("$.protocolVersion")));
  });

  test("a configuration needs output modes before 0.2.6", () => {
    const params = { message, configuration: {} };
    expect(verdicts("MessageSendParams", params)).toMatchObject(
      from("0.2.6", [], missing("$.configuration.acceptedOutputModes")),
    );
  });

  test("a request needs an id from 0.2.2 on", () => {
    expect(verdicts("SendMessageRequest", call)).toMatchObject(from("0.2.2", missing("$.id")));
    const get = { jsonrpc: "2.0", method: "tasks/get", params: { id: "t" } };
    expect(verdicts("GetTaskRequest", get)).toMatchObject(from("0.2.2", missing("$.id")));
  });

  test("the id of an error may be null from 0.2.2 on", () => {
    const error = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "m" } };
    expect(verdicts("JSONRPCErrorResponse", error)).toMatchObject(
      from("0.2.2", [], [{ path: "$.id", message: "expected a string or an integer, got null" }]),
    );
  });

  test("list and delete came with 0.2.5, the method for the extended card with 0.3", () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tasks/pushNotificationConfig/list", params: { id: "t" } };
    expect(verdicts("ListTaskPushNotificationConfigRequest", list)).toMatchObject(from("0.2.5", [], absent));
    const extended = { jsonrpc: "2.0", id: 1, method: "agent/getAuthenticatedExtendedCard" };
    expect(verdicts("GetAuthenticatedExtendedCardRequest", extended)).toMatchObject(from("0.3", [], absent));
  });
});

test("members that nobody has heard of are no violation, except in ProtoJSON", () => {
  expect(validateDialect("0.3", "Message", { ...message, colour: "blue" })).toEqual([]);
  const proto = { messageId: "m", role: "ROLE_USER", content: [{ text: "" }], kind: "message" };
  expect(validateDialect("0.3-proto", "Message", proto)).toMatchObject([{ path: "$.kind", code: "unknown-member" }]);
});

test("every wrong place is named once, a map's key and an index as what they are", () => {
  const wrong = {
    ...card,
    name: 7,
    securitySchemes: { "0": { type: "http" }, "a b": { type: "magic" } },
    skills: [{ id: "s", name: "n", description: "d" }, null],
  };
  expect(validateDialect("0.2.6", "AgentCard", wrong)).toMatchObject([
    { path: "$.name", message: "expected a string, got 7" },
    { path: '$.securitySchemes["0"].scheme', message: "is required and missing" },
    { path: '$.securitySchemes["a b"].type', message: 'expected a type of this version, got "magic"' },
    { path: "$.skills[0].tags", message: "is required and missing" },
    { path: "$.skills[1]", message: "expected an object, got null" },
    { path: "$.protocolVersion", message: "is required and missing" },
  ]);
});

test("timestamps and base64 are looked at", () => {
  const status = { state: "working", timestamp: "2025-02-30T00:00:00Z" };
  expect(validateDialect("0.1", "TaskStatus", status)).toMatchObject([
    {
      path: "$.timestamp",
      message: 'expected an ISO 8601 timestamp such as "2026-03-12T09:30:00.000Z", got "2025-02-30T00:00:00Z"',
    },
  ]);
  expect(validateDialect("0.3", "File", { bytes: "no!" })).toMatchObject([
    { path: "$.bytes", message: 'expected base64, got "no!"' },
  ]);
});

test("a definition that does not exist is our mistake, and says so", () => {
  expect(() => validateDialect("0.2.6", "Taks", {})).toThrow(
    'A2A 0.2.6 has no definition "Taks". Use the name from its official schema.',
  );
  expect(() => validateDialect("0.1", "toString", {})).toThrow(TypeError);
});

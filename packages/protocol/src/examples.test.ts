import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCall, readRpcAnswer, writeCall, writeResult, writeRpcError } from "./bindings/jsonrpc.ts";
import {
  matchRoute,
  type RouteMatch,
  readQuery,
  readRestError,
  writeRestError,
  writeRestRequest,
} from "./bindings/rest.ts";
import { v10 } from "./dialects/v1.0/dialect.ts";
import { A2AError } from "./errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "./json.ts";
import { type Operation, operations } from "./operations.ts";
import { read, validate } from "./schemas/validate.ts";
import type { FieldViolation } from "./schemas/violation.ts";

interface Example {
  readonly file: string;
  readonly binding: "discovery" | "jsonrpc" | "jsonrpc-sse" | "rest" | "rest-sse" | "webhook";
  readonly proto?: string;
  readonly http?: string;
  readonly same_as?: string;
  readonly status?: number;
}

const folder = new URL("../examples/", import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, folder), "utf8");
const jsonOf = (file: string): JsonValue => parseJson(textOf(file));
const manifest = jsonOf("manifest.json") as unknown as Example[];

const isCurrent = ({ file }: Example) => file.startsWith("v1.0/");
const isStream = ({ file }: Example) => file.endsWith(".sse.txt");
const isError = ({ file }: Example) => /\/error\.[^/]+$/.test(file);
const isRequest = ({ file }: Example) => /\.request\./.test(file);
const isRpc = ({ binding }: Example) => binding.startsWith("jsonrpc");

const current = manifest.filter(isCurrent).filter((example) => !isStream(example) && !isError(example));
const named = (examples: Example[]): [string, Example][] => examples.map((example) => [example.file, example]);

/** A file is called after its operation. */
const operationsByFile: Record<string, Operation> = {
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
  // What a webhook receives is an event of the stream.
  webhook: "SendStreamingMessage",
};

const operationOf = ({ file }: Example): Operation => operationsByFile[file.split("/").at(-1)!.split(".")[0]!]!;

/** The message that the manifest promises; examples without an official definition have none. */
const promised = ({ proto }: Example): string | undefined => proto?.replace("v10:", "");

/** What the README calls intended: the id is in the path, not in the body. */
const intended: Record<string, FieldViolation[]> = {
  "v1.0/rest/cancel.request.json": [{ path: "$.id", message: "is required and missing" }],
};

test("the manifest lists every file of the folder, once", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:json|txt)$/.test(path) && path !== "manifest.json")
    .map((path) => path.replaceAll("\\", "/"));
  expect(manifest.map(({ file }) => file).sort()).toEqual(files.sort());
});

describe("a 1.0 request over JSON-RPC is read, is strictly valid and is written again as it was", () => {
  test.each(named(current.filter((example) => isRpc(example) && isRequest(example))))("%s", (file, example) => {
    const json = jsonOf(file) as JsonObject;
    const { call } = readCall(json);
    const operation = v10.operationOf(call!.method)!;
    const { request } = operations[operation];
    expect(operation).toBe(operationOf(example));
    expect(promised(example) ?? request).toBe(request);
    expect(validate(request, call!.params)).toEqual([]);

    const { value } = v10.readRequest(operation, call!.params);
    const written = writeCall(call!.id, v10.methodOf(operation)!, v10.writeRequest(operation, value!) as JsonObject);
    // Our clients write `params` even where nothing is asked; the extended card's request shows that it may be absent.
    expect(written).toStrictEqual({ ...json, params: json["params"] ?? {} });
  });
});

describe("a 1.0 answer over JSON-RPC is read, is strictly valid and is written again as it was", () => {
  test.each(named(current.filter((example) => isRpc(example) && !isRequest(example))))("%s", (file, example) => {
    const json = jsonOf(file);
    const operation = operationOf(example);
    const { answer } = operations[operation];
    expect(promised(example) ?? null).toBe(answer);
    const envelopes = example.binding === "jsonrpc-sse" ? (json as JsonValue[]) : [json];
    expect(envelopes.length).toBeGreaterThan(0);
    for (const envelope of envelopes) {
      const { id, result } = readRpcAnswer(envelope) as { id: string | number; result: JsonValue };
      expect(answer && validate(answer, result)).toEqual(answer && []);
      const { value } = v10.readAnswer(operation, result);
      expect(parseJson(writeResult(id, JSON.stringify(v10.writeAnswer(operation, value!))))).toStrictEqual(envelope);
    }
  });
});

describe("a 1.0 request over HTTP+JSON is read from path, query and body, and is written again as it was", () => {
  const requests = current.filter((example) => !isRpc(example) && isRequest(example));
  test.each(named(requests))("%s", (file, example) => {
    const body = jsonOf(file) as JsonObject;
    const operation = operationOf(example);
    const { request } = operations[operation];
    expect(promised(example)).toBe(request);
    expect(validate(request, body)).toMatchObject(intended[file] ?? []);

    const [verb, target] = example.http!.split(" ") as [string, string];
    const { members, ...match } = matchRoute(verb, target) as Extract<RouteMatch, { operation: Operation }>;
    expect(match).toEqual({ operation });
    const { value } = v10.readRequest(operation, { ...body, ...members });
    expect(value).toStrictEqual({ ...body, ...members });
    expect(writeRestRequest(operation, v10.writeRequest(operation, value!) as JsonObject)).toStrictEqual({
      verb,
      target,
      body,
    });
  });
});

describe("a 1.0 answer over HTTP+JSON, a card and a webhook body are read, are strictly valid and stay as they were", () => {
  const answers = current.filter((example) => !isRpc(example) && !isRequest(example));
  test.each(named(answers))("%s", (file, example) => {
    const json = jsonOf(file);
    const operation = operationOf(example);
    const answer = operations[operation].answer!;
    expect(promised(example)).toBe(answer);
    const bodies = example.binding === "rest-sse" ? (json as JsonValue[]) : [json];
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(validate(answer, body)).toEqual([]);
      const { value } = v10.readAnswer(operation, body);
      expect(v10.writeAnswer(operation, value!)).toStrictEqual(body);
    }
  });

  test.each(named(answers.filter(({ http }) => http)))(
    "%s answers the request line of the manifest",
    (_file, example) => {
      const [verb, target] = example.http!.split(" ") as [string, string];
      const [path, query] = target.split("?") as [string, string];
      const { operation, members } = matchRoute(verb, path) as Extract<RouteMatch, { operation: Operation }>;
      expect(operation).toBe(operationOf(example));
      const { value } = v10.readRequest(operation, { ...readQuery(operation, query), ...members });
      expect(writeRestRequest(operation, v10.writeRequest(operation, value!) as JsonObject)).toEqual({ verb, target });
    },
  );
});

describe("a stream as text holds the payloads of its neighbour", () => {
  test.each(named(manifest.filter(isStream)))("%s", (file, { same_as }) => {
    const events = textOf(file).split("\n\n").slice(0, -1);
    const payloads = events.map((event) => {
      const [, data] = /^data: (.*)$/.exec(event)!;
      return parseJson(data!);
    });
    expect(payloads).toEqual(jsonOf(same_as!));
  });
});

describe("a 1.0 error body is the one that we write", () => {
  const notFound = new A2AError("TaskNotFound", "Task not found", { facts: { taskId: "t-nope" } });
  const notCancelable = new A2AError("TaskNotCancelable", "Task cannot be canceled");
  const version = new A2AError("VersionNotSupported", "A2A version 0.9 is not supported", {
    facts: { requested: "0.9" },
  });

  test.each([
    ["v1.0/jsonrpc/error.task-not-found.json", writeRpcError(3, notFound)],
    ["v1.0/jsonrpc/error.version-not-supported.json", writeRpcError(1, version)],
    ["v1.0/rest/error.task-not-found.json", writeRestError(notFound)],
    ["v1.0/rest/error.not-cancelable.json", writeRestError(notCancelable, "1.0.1")],
  ])("%s", (file, written) => {
    expect(parseJson(written)).toEqual(jsonOf(file));
  });
});

describe("an error body of any dialect is read", () => {
  const errors = manifest.filter(isError).filter(({ file }) => !file.endsWith("bodies-seen.json"));

  test.each(named(errors.filter(isRpc)))("%s", (file) => {
    const json = jsonOf(file) as { id: number | null; error: { code: number; message: string } };
    expect(readRpcAnswer(json as never)).toStrictEqual({ id: json.id, failure: json.error });
  });

  test.each(named(errors.filter((example) => !isRpc(example))))("%s", (file, { status }) => {
    const json = jsonOf(file) as { error: JsonObject };
    expect(readRestError(json)).toEqual(json.error);
    expect(json.error["code"]).toBe(status);
  });

  test("v0.3-rest/error.bodies-seen.json: only Go's has the shape of 1.0, the others are for the 0.3 codec", () => {
    const seen = jsonOf("v0.3-rest/error.bodies-seen.json") as Record<string, { body: { error: JsonValue } }>;
    const readings = Object.entries(seen).map(([peer, { body }]) => [peer, readRestError(body)]);
    expect(Object.fromEntries(readings)).toEqual({
      "js-0.3": undefined,
      "python-0.3": undefined,
      "java-compat": undefined,
      "go-compat": seen["go-compat"]!.body.error,
    });
  });
});

test("the hybrid card is a 1.0 card once its 0.3 members are left behind", () => {
  const card = jsonOf("hybrid/card.v1.0+v0.3.json") as JsonObject;
  const older = [
    "$.url",
    "$.preferredTransport",
    "$.protocolVersion",
    "$.supportsAuthenticatedExtendedCard",
    "$.security",
    "$.securitySchemes.key.type",
    "$.securitySchemes.key.in",
    "$.securitySchemes.key.name",
    "$.securitySchemes.bearer.type",
    "$.securitySchemes.bearer.scheme",
    "$.securitySchemes.bearer.bearerFormat",
  ];
  expect(validate("AgentCard", card)).toMatchObject(older.map((path) => ({ path, code: "unknown-member" })));

  const { key, bearer } = card["securitySchemes"] as Record<string, JsonObject>;
  const { url, preferredTransport, protocolVersion, supportsAuthenticatedExtendedCard, security, ...rest } = card;
  expect(read("AgentCard", card).value).toStrictEqual({
    ...rest,
    securitySchemes: {
      key: { apiKeySecurityScheme: key!["apiKeySecurityScheme"] },
      bearer: { httpAuthSecurityScheme: bearer!["httpAuthSecurityScheme"] },
    },
  });
});

import { randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { startTestbed, type Testbed, type TestbedOptions } from "@assay/agents";
import {
  type AnswerOf,
  type JsonObject,
  type Message,
  type Operation,
  operations,
  type RequestOf,
  type SendMessageRequest,
  type StreamingOperation,
  type StreamResponse,
  type Task,
  type UnaryOperation,
  validate,
} from "@assay/protocol";
import { afterAll, beforeAll, expect } from "vitest";
import { openHttp2 } from "./http2-request.case.ts";

/** A test bed for the tests of one file: started before them, closed after them. */
export interface Bed {
  /** without a trailing slash */
  readonly url: string;
  readonly port: number;
  /** what the server reported as its own fault; a test that provokes a fault takes it out */
  readonly faults: unknown[];
}

export function useTestbed(given: Partial<TestbedOptions> | (() => Promise<Partial<TestbedOptions>>) = {}): Bed {
  let running: Testbed | undefined;
  const faults: unknown[] = [];
  beforeAll(async () => {
    const options = typeof given === "function" ? await given() : given;
    running = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0.0.0-e2e",
      timeScale: 0.1,
      onError: (error) => faults.push(error),
      ...options,
    });
  });
  afterAll(async () => {
    await running?.close(500);
    expect(faults).toEqual([]);
  });
  return {
    get url() {
      return running!.url;
    },
    get port() {
      return running!.port;
    },
    faults,
  };
}

// Plain HTTP: nothing between a test and the server that would mend or hide what either of them does.

export interface Plain {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** on a connection of its own */
  readonly fresh?: boolean;
  /** the address it comes from */
  readonly from?: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const connections = new Agent({ keepAlive: true });
afterAll(() => connections.destroy());

/** Set for the tests of the wires that run a second time (vitest.config.ts). */
export const overHttp2 = process.env["ASSAY_HTTP"] === "2";

export function open(url: string, request: Plain = {}): Promise<IncomingMessage> {
  return overHttp2 ? openHttp2(url, request) : openHttp1(url, request);
}

function openHttp1(url: string, { method = "GET", headers = {}, body, signal, fresh, from }: Plain) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(url, {
      method,
      agent: fresh ? false : connections,
      headers: { ...headers } as Record<string, string | string[]>,
      ...(signal && { signal }),
      ...(from && { localAddress: from }),
    });
    sent.on("response", resolve).on("error", reject).end(body);
  });
}

export async function plain(url: string, request: Plain = {}): Promise<PlainAnswer> {
  const response = await open(url, request);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

// The two bindings, written down a second time and by hand, so that a slip in ours is not repeated here.

export const bindings = ["JSONRPC", "HTTP+JSON"] as const;
export type Binding = (typeof bindings)[number];

type Headers = Readonly<Record<string, string>>;
export const speaking10: Headers = { "A2A-Version": "1.0" };

/** The plain request that asks for an operation. */
export function written(
  agent: string,
  binding: Binding,
  operation: Operation,
  request: object,
  headers: Headers = {},
): { url: string; plain: Plain; id?: string } {
  if (binding === "JSONRPC") {
    const id = `call-${randomUUID()}`;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: operation, params: request });
    const plainHeaders = { "Content-Type": "application/json", ...speaking10, ...headers };
    return { url: agent, id, plain: { method: "POST", headers: plainHeaders, body } };
  }
  const { verb, path, body } = restRequest(operation, request as JsonObject);
  const typed = body === undefined ? {} : { "Content-Type": "application/a2a+json" };
  return {
    url: `${agent}${path}`,
    plain: {
      method: verb,
      headers: { ...typed, ...speaking10, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
}

function restRequest(operation: Operation, { tenant, ...rest }: JsonObject) {
  const at = tenant === undefined ? "" : `/${encodeURIComponent(String(tenant))}`;
  const segment = (name: "id" | "taskId") => encodeURIComponent(String(rest[name]));
  const configs = () => `${at}/tasks/${segment("taskId")}/pushNotificationConfigs`;
  const get = (path: string) => ({ verb: "GET", path, body: undefined });
  const post = (path: string, body: JsonObject) => ({ verb: "POST", path, body });
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)));
  const query = (members: JsonObject) => {
    const pairs = Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    return pairs.length ? `?${pairs.join("&")}` : "";
  };
  switch (operation) {
    case "SendMessage":
      return post(`${at}/message:send`, rest);
    case "SendStreamingMessage":
      return post(`${at}/message:stream`, rest);
    case "GetTask":
      return get(`${at}/tasks/${segment("id")}${query(without("id"))}`);
    case "ListTasks":
      return get(`${at}/tasks${query(rest)}`);
    case "CancelTask":
      return post(`${at}/tasks/${segment("id")}:cancel`, without("id"));
    case "SubscribeToTask":
      return post(`${at}/tasks/${segment("id")}:subscribe`, without("id"));
    case "CreateTaskPushNotificationConfig":
      return post(configs(), without("taskId"));
    case "GetTaskPushNotificationConfig":
      return get(`${configs()}/${segment("id")}`);
    case "ListTaskPushNotificationConfigs":
      return get(`${configs()}${query(without("taskId"))}`);
    case "DeleteTaskPushNotificationConfig":
      return { verb: "DELETE", path: `${configs()}/${segment("id")}`, body: undefined };
    case "GetExtendedAgentCard":
      return get(`${at}/extendedAgentCard`);
  }
}

export interface Reply<T> {
  readonly value: T;
  readonly headers: IncomingHttpHeaders;
}

/** Asks, expects success, and holds the answer against the schema. */
export async function askWithHeaders<O extends UnaryOperation>(
  agent: string,
  binding: Binding,
  operation: O,
  request: RequestOf<O>,
  headers?: Headers,
): Promise<Reply<AnswerOf<O>>> {
  const { url, plain: sent, id } = written(agent, binding, operation, request, headers);
  const answer = await plain(url, sent);
  const type = binding === "JSONRPC" ? "application/json" : "application/a2a+json";
  expect({ status: answer.status, type: answer.headers["content-type"], text: answer.text }).toEqual({
    status: 200,
    type,
    text: expect.any(String),
  });
  const json = JSON.parse(answer.text) as JsonObject;
  const value = binding === "JSONRPC" ? json["result"] : json;
  if (binding === "JSONRPC") expect(json).toEqual({ jsonrpc: "2.0", id, result: expect.anything() });
  const { answer: shape } = operations[operation];
  expect(shape === null ? value : validate(shape, value)).toEqual(shape === null ? {} : []);
  return { value: value as AnswerOf<O>, headers: answer.headers };
}

export async function ask<O extends UnaryOperation>(
  agent: string,
  binding: Binding,
  operation: O,
  request: RequestOf<O>,
  headers?: Headers,
): Promise<AnswerOf<O>> {
  return (await askWithHeaders(agent, binding, operation, request, headers)).value;
}

/** Follows a stream to its end; every event is held against the schema. */
export async function* follow(
  agent: string,
  binding: Binding,
  operation: StreamingOperation,
  request: RequestOf<StreamingOperation>,
  { headers, signal }: { headers?: Headers; signal?: AbortSignal } = {},
): AsyncGenerator<StreamResponse> {
  const { url, plain: sent, id } = written(agent, binding, operation, request, headers);
  const response = await open(url, { ...sent, ...(signal && { signal }) });
  expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/event-stream"]);
  for await (const data of serverSentData(response)) {
    const json = JSON.parse(data) as JsonObject;
    if (binding === "JSONRPC") expect(json).toEqual({ jsonrpc: "2.0", id, result: expect.anything() });
    const event = binding === "JSONRPC" ? json["result"] : json;
    expect(validate("StreamResponse", event)).toEqual([]);
    yield event as StreamResponse;
  }
}

export async function* serverSentData(response: IncomingMessage): AsyncGenerator<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) {
    text += chunk as string;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      if (event.startsWith(":")) continue;
      expect(event.slice(0, 6)).toBe("data: ");
      yield event.slice(6);
    }
  }
  expect(text).toBe("");
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

// Errors: what each binding has to say, in numbers copied from the specification (5.4, 9.5, 11.6).

const errors = {
  TaskNotFound: [-32001, "TASK_NOT_FOUND", 404, "NOT_FOUND"],
  TaskNotCancelable: [-32002, "TASK_NOT_CANCELABLE", 400, "FAILED_PRECONDITION"],
  PushNotificationNotSupported: [-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED", 400, "FAILED_PRECONDITION"],
  UnsupportedOperation: [-32004, "UNSUPPORTED_OPERATION", 400, "FAILED_PRECONDITION"],
  ContentTypeNotSupported: [-32005, "CONTENT_TYPE_NOT_SUPPORTED", 400, "INVALID_ARGUMENT"],
  InvalidAgentResponse: [-32006, "INVALID_AGENT_RESPONSE", 500, "INTERNAL"],
  ExtensionSupportRequired: [-32008, "EXTENSION_SUPPORT_REQUIRED", 400, "FAILED_PRECONDITION"],
  VersionNotSupported: [-32009, "VERSION_NOT_SUPPORTED", 400, "FAILED_PRECONDITION"],
  Parse: [-32700, "PARSE_ERROR", 400, "INVALID_ARGUMENT"],
  InvalidRequest: [-32600, "INVALID_REQUEST", 400, "INVALID_ARGUMENT"],
  MethodNotFound: [-32601, "METHOD_NOT_FOUND", 404, "UNIMPLEMENTED"],
  InvalidParams: [-32602, "INVALID_PARAMS", 400, "INVALID_ARGUMENT"],
  Internal: [-32603, "INTERNAL_ERROR", 500, "INTERNAL"],
  Unauthenticated: [-31401, "UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
  MethodNotAllowed: [-32600, "METHOD_NOT_ALLOWED", 405, "UNIMPLEMENTED"],
  PayloadTooLarge: [-32600, "PAYLOAD_TOO_LARGE", 413, "RESOURCE_EXHAUSTED"],
  RequestTimeout: [-32600, "REQUEST_TIMEOUT", 408, "DEADLINE_EXCEEDED"],
  MisdirectedRequest: [-32600, "MISDIRECTED_REQUEST", 421, "INVALID_ARGUMENT"],
} as const satisfies Record<string, readonly [code: number, reason: string, http: number, status: string]>;

export type ErrorName = keyof typeof errors;

/** Decided below the protocol, so JSON-RPC shows the HTTP status too. */
const transport: readonly ErrorName[] = ["Unauthenticated", "PayloadTooLarge", "RequestTimeout"];

/** An error answer in one form for both bindings; `id` is JSON-RPC's. */
export interface Refusal {
  readonly http: number;
  readonly code: number;
  readonly status?: string;
  readonly reason: string;
  readonly id?: unknown;
}

export function refusedAs(binding: Binding, name: ErrorName, id?: unknown): Refusal {
  const [code, reason, http, status] = errors[name];
  return binding === "JSONRPC"
    ? { http: transport.includes(name) ? http : 200, code, reason, id: id === undefined ? expect.any(String) : id }
    : { http, code: http, status, reason };
}

/** Reads an error answer strictly: its shape, its media type, and that nothing of our inside shows in it. */
export function refusalIn(binding: Binding, answer: PlainAnswer): Refusal {
  const type = binding === "JSONRPC" ? "application/json" : "application/a2a+json";
  expect(answer).toMatchObject({ headers: { "content-type": type } });
  expect(answer.text).not.toMatch(/<html|<!doctype|\n\s+at |node:internal|\/packages\/|\.ts:\d/i);
  const json = JSON.parse(answer.text) as JsonObject;
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: expect.stringMatching(/^[A-Z_]+$/),
    domain: "a2a-protocol.org",
  };
  if (binding === "JSONRPC") {
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: json["id"],
      error: { code: expect.any(Number), message: expect.stringMatching(/\S/), data: expect.any(Array) },
    });
    expect(Object.hasOwn(json, "id")).toBe(true);
    const { code, data } = json["error"] as { code: number; data: { reason: string }[] };
    expect(data[0]).toMatchObject(info);
    return { http: answer.status, code, reason: data[0]!.reason, id: json["id"] };
  }
  expect(json).toEqual({
    error: {
      code: answer.status,
      status: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/\S/),
      details: expect.any(Array),
    },
  });
  const { code, status, details } = json["error"] as { code: number; status: string; details: { reason: string }[] };
  expect(details[0]).toMatchObject(info);
  return { http: answer.status, code, status, reason: details[0]!.reason };
}

/** Asks and expects to be refused. */
export async function refusal(
  agent: string,
  binding: Binding,
  operation: Operation,
  request: object,
  headers?: Headers,
): Promise<Refusal> {
  const { url, plain: sent, id } = written(agent, binding, operation, request, headers);
  const answer = refusalIn(binding, await plain(url, sent));
  if (binding === "JSONRPC") expect(answer.id).toBe(id);
  return answer;
}

/** The fields that an error blames, as google.rpc.BadRequest lists them. */
export function blamedFields(text: string): string[] {
  const json = JSON.parse(text) as { error: { data?: JsonObject[]; details?: JsonObject[] } };
  const details = json.error.details ?? json.error.data ?? [];
  const bad = details.find((entry) => String(entry["@type"]).endsWith("google.rpc.BadRequest"));
  return ((bad?.["fieldViolations"] ?? []) as { field: string }[]).map(({ field }) => field);
}

/** For test.each: each value under a name that stays readable. */
export const named = <T>(values: readonly T[]): [string, T][] =>
  values.map((value) => {
    const text = JSON.stringify(value) ?? "nothing";
    return [text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text, value];
  });

// What tests say, and what they look for in answers.

export const say = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

export const sending = (text: string, configuration?: SendMessageRequest["configuration"]): SendMessageRequest => ({
  message: say(text),
  ...(configuration && { configuration }),
});

export async function taskFrom(
  agent: string,
  binding: Binding,
  text: string,
  configuration?: SendMessageRequest["configuration"],
): Promise<Task> {
  const { task } = await ask(agent, binding, "SendMessage", sending(text, configuration));
  expect(task).toBeDefined();
  return task!;
}

export const anId = expect.stringMatching(/^\S+$/) as string;
export const aTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const agentMessage = (text: unknown, ids: { taskId?: string; contextId?: string } = {}) => ({
  messageId: anId,
  contextId: ids.contextId ?? anId,
  ...(ids.taskId === undefined ? {} : { taskId: ids.taskId }),
  role: "ROLE_AGENT",
  parts: [{ text }],
});

/** Asks again until the answer is the one waited for: tasks move on their own. */
export async function until<T>(read: () => Promise<T>, done: (value: T) => boolean, timeoutMs = 5_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (Date.now() > deadline) throw new Error(`still waiting after ${timeoutMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The server is alive and well: a normal request gets its normal answer, quickly. */
export async function expectNormalService(bed: Bed): Promise<void> {
  for (const binding of bindings) {
    const { message } = await ask(`${bed.url}/echo`, binding, "SendMessage", sending("still there?"));
    expect(message).toEqual(agentMessage("Echo: still there?"));
  }
}

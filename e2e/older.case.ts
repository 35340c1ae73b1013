import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import { grpcV03 } from "@assay/protocol/grpc";
import { expect } from "vitest";
import type { OlderWire } from "../packages/protocol/src/dialects/check.ts";
import { definitionOf, objections } from "../packages/protocol/src/dialects/definitions.case.ts";
import { type GrpcPeer, refusalOf as grpcRefusalOf } from "./grpc.case.ts";
import { open, type Plain, type PlainAnswer, plain, serverSentData } from "./testbed.case.ts";

// The wires before 1.0, written down a second time and by hand, so that a slip in our codecs is not repeated here.
// Answers are held against each dialect's schema and then told in words that all of them share.

export type Content =
  | { readonly text: string; readonly metadata?: JsonObject }
  | { readonly data: JsonObject }
  | { readonly bytes: string; readonly name?: string; readonly type?: string }
  | { readonly uri: string; readonly name?: string; readonly type?: string };

export interface Hook {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly scheme?: string;
  readonly credentials?: string;
}

export interface Sending {
  readonly parts: readonly Content[];
  readonly taskId?: string;
  readonly contextId?: string;
  /** whether to wait for the task to rest; 0.1 cannot say */
  readonly wait?: boolean;
  readonly historyLength?: number;
  readonly hook?: Hook;
}

export interface Said {
  readonly role: string;
  readonly parts: readonly Content[];
}

export interface TaskSeen {
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  readonly says?: Said;
  readonly artifacts?: readonly { readonly name: string; readonly parts: readonly Content[] }[];
  readonly history?: readonly Said[];
  readonly metadata?: JsonObject;
}

/** What an answer or an event tells. */
export type Told =
  | ({ readonly is: "task" } & TaskSeen)
  | ({ readonly is: "message"; readonly contextId: string } & Said)
  | { readonly is: "status"; readonly state: string; readonly says?: Said; readonly final: boolean }
  | {
      readonly is: "artifact";
      readonly name: string;
      readonly parts: readonly Content[];
      readonly append: boolean;
      readonly last: boolean;
    };

/** How a transport says no. */
export interface Refused {
  readonly http?: number;
  readonly code?: number;
  readonly status?: string;
  readonly reason: string;
}

/** A way to be wrong that every wire has. */
export type Mistake = "unknown-method" | "bad-params" | "parse-error";

/** One agent, spoken to in one dialect over one transport. */
export interface OlderPeer {
  readonly name: string;
  readonly wire: OlderWire;
  readonly transport: "JSONRPC" | "HTTP+JSON" | "GRPC";
  send(sending: Sending): Promise<Told>;
  /** With `take`, the client leaves behind so many events. */
  stream(sending: Sending, take?: number): Promise<Told[]>;
  get(id: string, historyLength?: number): Promise<TaskSeen>;
  cancel(id: string, metadata?: JsonObject): Promise<TaskSeen>;
  resubscribe(id: string): Promise<Told[]>;
  setHook(taskId: string, hook: Hook): Promise<Hook>;
  getHook(taskId: string, id?: string): Promise<Hook>;
  listHooks(taskId: string): Promise<Hook[]>;
  deleteHook(taskId: string, id: string): Promise<JsonValue>;
  extendedCard(token?: string): Promise<JsonObject>;
  mistake(which: Mistake): Promise<unknown>;
}

/** Thrown by a peer that was told no, after the form of the refusal has been checked. */
class NoFromPeer extends Error {
  readonly refused: Refused;
  readonly answer: PlainAnswer;

  constructor(refused: Refused, answer: PlainAnswer) {
    super(`refused: ${JSON.stringify(refused)}`);
    this.refused = refused;
    this.answer = answer;
  }
}

export async function refusedBy(work: Promise<unknown>): Promise<Refused> {
  const thrown = await work.then(
    (value) => new Error(`it was served: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof NoFromPeer) return thrown.refused;
  if (thrown instanceof Error && "metadata" in thrown) return grpcRefusalOf(Promise.reject(thrown));
  throw thrown;
}

const numbers = {
  TaskNotFound: [-32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"],
  TaskNotCancelable: [-32002, 409, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"],
  PushNotificationNotSupported: [-32003, 501, "UNIMPLEMENTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  UnsupportedOperation: [-32004, 501, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"],
  InvalidAgentResponse: [-32006, 502, "INTERNAL", "INVALID_AGENT_RESPONSE"],
  Parse: [-32700, 400, "INVALID_ARGUMENT", "PARSE_ERROR"],
  MethodNotFound: [-32601, 404, "UNIMPLEMENTED", "METHOD_NOT_FOUND"],
  InvalidParams: [-32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"],
  Internal: [-32603, 500, "INTERNAL", "INTERNAL_ERROR"],
  Unauthenticated: [-31401, 401, "UNAUTHENTICATED", "UNAUTHENTICATED"],
} as const satisfies Record<string, readonly [code: number, http: number, status: string, reason: string]>;

/** The refusal that an error of the protocol is on a peer's wire. */
export function refusedAs({ transport }: OlderPeer, error: keyof typeof numbers): Refused {
  const [code, http, status, reason] = numbers[error];
  if (transport === "GRPC") return { status, reason };
  if (transport === "HTTP+JSON") return { http, code, reason };
  return { http: error === "Unauthenticated" ? 401 : 200, code, reason };
}

// Words

const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** `TASK_STATE_CANCELLED`, as the proto of 0.3 spells it, and `canceled` are one state. */
const stateWord = (state: unknown): string =>
  String(state)
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace("cancelled", "canceled");

const roleWord = (role: unknown): string =>
  String(role)
    .replace(/^ROLE_/, "")
    .toLowerCase();

/** JSON that the schema has passed; what JSON.parse gives is anything. */
type Shape = Record<string, ReturnType<typeof JSON.parse>>;

/** How a family of dialects writes what goes out, and what it means by what comes back. */
interface Family {
  readonly send: (sending: Sending) => JsonObject;
  readonly told: (json: Shape) => Told;
  readonly task: (json: Shape) => TaskSeen;
  readonly hookIn: (taskId: string, hook: Hook) => JsonObject;
  readonly hookOut: (json: Shape) => Hook;
}

const taggedPart =
  (tag: "kind" | "type") =>
  (content: Content): JsonObject => {
    if ("text" in content) return defined({ [tag]: "text", ...content }) as JsonObject;
    if ("data" in content) return { [tag]: "data", data: content.data };
    const { name, type, ...where } = content;
    return { [tag]: "file", file: defined({ ...where, name, mimeType: type }) as JsonObject };
  };

const untaggedPart =
  (tag: "kind" | "type") =>
  ({ [tag]: kind, text, data, file, metadata }: Shape): Content => {
    if (kind === "text") return defined({ text, metadata });
    if (kind === "data") return { data };
    const { bytes, uri, name, mimeType } = file;
    return defined({ ...(bytes === undefined ? { uri } : { bytes }), name, type: mimeType });
  };

const authOut = ({ schemes, credentials }: Shape = {}) => defined({ scheme: schemes?.[0], credentials });
const authIn = ({ scheme, credentials }: Hook) =>
  scheme === undefined ? {} : { authentication: defined({ schemes: [scheme], credentials }) };

/** 0.2 and 0.3 over JSON-RPC: everything says its `kind`. */
const kinds: Family = (() => {
  const part = untaggedPart("kind");
  const said = ({ role, parts }: Shape): Said => ({ role: roleWord(role), parts: parts.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const hook = (config: Hook): JsonObject =>
    defined({ id: config.id, url: config.url, token: config.token, ...authIn(config) }) as JsonObject;
  const task = ({ id, contextId, status, artifacts, history, metadata }: Shape): TaskSeen =>
    defined({
      id,
      contextId,
      state: stateWord(status.state),
      says: status.message && said(status.message),
      artifacts: artifacts?.map(artifact),
      history: history?.map(said),
      metadata,
    });
  return {
    send: ({ parts, taskId, contextId, wait, historyLength, hook: config }) => {
      const configuration = defined({
        blocking: wait,
        historyLength,
        pushNotificationConfig: config && hook(config),
      });
      return {
        message: defined({
          kind: "message",
          messageId: randomUUID(),
          role: "user",
          parts: parts.map(taggedPart("kind")),
          taskId,
          contextId,
        }),
        ...(Object.keys(configuration).length ? { configuration } : {}),
      } as JsonObject;
    },
    task,
    told(json) {
      switch (json["kind"]) {
        case "task":
          return { is: "task", ...task(json) };
        case "message":
          return { is: "message", contextId: json["contextId"], ...said(json) };
        case "status-update": {
          const { status, final } = json;
          const says = status.message && said(status.message);
          return defined({ is: "status" as const, state: stateWord(status.state), says, final });
        }
        default: {
          expect(json["kind"]).toBe("artifact-update");
          const { append = false, lastChunk = false } = json;
          return { is: "artifact", ...artifact(json["artifact"]), append, last: lastChunk };
        }
      }
    },
    hookIn: (taskId, config) => ({ taskId, pushNotificationConfig: hook(config) }),
    hookOut: ({ pushNotificationConfig: { id, url, token, authentication } }) =>
      defined({ id, url, token, ...authOut(authentication) }),
  };
})();

/** 0.1: tasks are sent, and most things are told by what they hold. */
const first: Family = (() => {
  const part = untaggedPart("type");
  const said = ({ role, parts }: Shape): Said => ({ role, parts: parts.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const hook = (config: Hook) => defined({ url: config.url, token: config.token, ...authIn(config) }) as JsonObject;
  const task = ({ id, sessionId, status, artifacts, history, metadata }: Shape): TaskSeen =>
    defined({
      id,
      contextId: sessionId,
      state: status.state,
      says: status.message && said(status.message),
      artifacts: artifacts?.map(artifact),
      history: history?.map(said),
      metadata,
    });
  return {
    send: ({ parts, taskId = randomUUID(), contextId, historyLength, hook: config }) =>
      defined({
        id: taskId,
        sessionId: contextId,
        message: { role: "user", parts: parts.map(taggedPart("type")) },
        historyLength,
        pushNotification: config && hook(config),
      }) as JsonObject,
    task,
    told(json) {
      const { status, final, artifact: shown } = json;
      if (shown)
        return { is: "artifact", ...artifact(shown), append: shown.append ?? false, last: shown.lastChunk ?? false };
      if (final === undefined) return { is: "task", ...task(json) };
      return defined({
        is: "status" as const,
        state: status.state,
        says: status.message && said(status.message),
        final,
      });
    },
    hookIn: (id, config) => ({ id, pushNotificationConfig: hook(config) }),
    hookOut: ({ pushNotificationConfig: { url, token, authentication } }) =>
      defined({ url, token, ...authOut(authentication) }),
  };
})();

/** The three ways in which bodies of HTTP+JSON are spelled in the wild. */
export type Spelling = "camel" | "snake" | "schema";

const snake = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      // What lies in `data` and `metadata` is the user's.
      name === "data" || name === "metadata" ? member : snake(member),
    ]),
  );
};

/** 0.3 as protobuf has it: `content` for parts, files and data in messages of their own, resource names for ids. */
const proto = (spelling: Spelling): Family => {
  const partIn = (content: Content): JsonObject => {
    if ("text" in content) return defined({ ...content }) as JsonObject;
    if ("data" in content) return { data: { data: content.data } };
    const { name, type: mimeType } = content;
    const where = "bytes" in content ? { fileWithBytes: content.bytes } : { fileWithUri: content.uri };
    return { file: defined({ ...where, mimeType, name }) as JsonObject };
  };
  const part = ({ text, file, data, metadata }: Shape): Content => {
    if (text !== undefined) return defined({ text, metadata });
    if (data) return { data: data.data ?? {} };
    const { fileWithBytes, fileWithUri, mimeType, name } = file;
    return defined({
      ...(fileWithBytes === undefined ? { uri: fileWithUri } : { bytes: fileWithBytes }),
      name,
      type: mimeType,
    });
  };
  const said = ({ role, content }: Shape): Said => ({ role: roleWord(role), parts: content.map(part) });
  const artifact = ({ name, parts }: Shape) => ({ name, parts: parts.map(part) });
  const task = ({ id, contextId, status, artifacts, history, metadata }: Shape): TaskSeen =>
    defined({
      id,
      contextId,
      state: stateWord(status.state),
      says: status.message && said(status.message),
      artifacts: artifacts?.map(artifact),
      history: history?.map(said),
      metadata,
    });
  const hook = (config: Hook): JsonObject =>
    defined({ id: config.id, url: config.url, token: config.token, ...authIn(config) }) as JsonObject;
  return {
    send(sending) {
      if (spelling === "schema") return kinds.send(sending);
      const { parts, taskId, contextId, wait = true, historyLength, hook: config } = sending;
      const message = defined({
        messageId: randomUUID(),
        role: "ROLE_USER",
        content: parts.map(partIn),
        taskId,
        contextId,
      }) as JsonObject;
      const configuration = defined({
        blocking: wait,
        historyLength,
        pushNotification: config && hook(config),
      }) as JsonObject;
      return spelling === "snake"
        ? { request: snake(message), configuration: snake(configuration) }
        : { message, configuration };
    },
    task,
    told({ task: whole, message, statusUpdate, artifactUpdate }) {
      if (whole) return { is: "task", ...task(whole) };
      if (message) return { is: "message", contextId: message.contextId, ...said(message) };
      if (statusUpdate) {
        const { status, final = false } = statusUpdate;
        const says = status.message && said(status.message);
        return defined({ is: "status" as const, state: stateWord(status.state), says, final });
      }
      const { artifact: shown, append = false, lastChunk = false } = artifactUpdate;
      return { is: "artifact", ...artifact(shown), append, last: lastChunk };
    },
    hookIn(taskId, config) {
      const parent = `tasks/${taskId}`;
      const name = `${parent}/pushNotificationConfigs/${config.id ?? ""}`;
      const body = {
        parent,
        ...(config.id === undefined ? {} : { configId: config.id }),
        config: { name, pushNotificationConfig: hook(config) },
      };
      if (spelling === "schema") return hook(config);
      return spelling === "snake" ? (snake(body) as JsonObject) : body;
    },
    hookOut: ({ name, pushNotificationConfig: { id, url, token, authentication } }) => {
      expect(name.endsWith(`/pushNotificationConfigs/${id}`)).toBe(true);
      return defined({ id, url, token, ...authOut(authentication) });
    },
  };
};

/** Holds an answer against the dialect's schema: no violation, and no member that it does not name. */
function checked(wire: OlderWire, operation: Operation, json: JsonValue): Shape {
  const definition = definitionOf(wire, operation, "answer");
  if (definition) expect(objections(wire, definition, json)).toEqual([]);
  return json as Shape;
}

// JSON-RPC

const tagged: Partial<Record<Operation, string>> = {
  SendMessage: "message/send",
  SendStreamingMessage: "message/stream",
  GetTask: "tasks/get",
  CancelTask: "tasks/cancel",
  SubscribeToTask: "tasks/resubscribe",
  CreateTaskPushNotificationConfig: "tasks/pushNotificationConfig/set",
  GetTaskPushNotificationConfig: "tasks/pushNotificationConfig/get",
  ListTaskPushNotificationConfigs: "tasks/pushNotificationConfig/list",
  DeleteTaskPushNotificationConfig: "tasks/pushNotificationConfig/delete",
  GetExtendedAgentCard: "agent/getAuthenticatedExtendedCard",
};

const methods: Record<"0.3" | "0.2" | "0.1", Partial<Record<Operation, string>>> = {
  "0.3": tagged,
  "0.2": tagged,
  "0.1": {
    ...tagged,
    SendMessage: "tasks/send",
    SendStreamingMessage: "tasks/sendSubscribe",
    CreateTaskPushNotificationConfig: "tasks/pushNotification/set",
    GetTaskPushNotificationConfig: "tasks/pushNotification/get",
  },
};

const wires = { "0.3": "0.3", "0.2": "0.2.6", "0.1": "0.1" } as const;
const inside = /<html|<!doctype|\n\s+at |node:internal|\/packages\/|\.ts:\d/i;

/**
 * The error of a JSON-RPC answer, read strictly: before 1.0, `data` is an object, and ours says the reason. Only what
 * could not be read at all has no dialect, so there an agent of 1.0 may answer in the list of 1.0.
 */
function rpcRefused(answer: PlainAnswer, id: unknown): NoFromPeer {
  expect(answer).toMatchObject({ headers: { "content-type": "application/json" } });
  expect(answer.text).not.toMatch(inside);
  const json = JSON.parse(answer.text) as { error: { code: number; data: { reason: string } } };
  if (id === null && Array.isArray(json.error.data)) json.error.data = json.error.data[0];
  expect(json).toEqual({
    jsonrpc: "2.0",
    id,
    error: {
      code: expect.any(Number),
      message: expect.stringMatching(/\S/),
      data: expect.objectContaining({ reason: expect.stringMatching(/^[A-Z_]+$/) }),
    },
  });
  const { code, data } = json.error;
  return new NoFromPeer({ http: answer.status, code, reason: data.reason }, answer);
}

const isStreamed = (response: IncomingMessage) => response.headers["content-type"] === "text/event-stream";

async function rest(response: IncomingMessage): Promise<PlainAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

export function overJsonRpc(
  version: "0.3" | "0.2" | "0.1",
  agent: () => string,
  name = `${version} JSON-RPC`,
): OlderPeer {
  const family = version === "0.1" ? first : kinds;
  const wire = wires[version];
  const posting = (body: string, more: Record<string, string> = {}): Plain => ({
    method: "POST",
    headers: { "Content-Type": "application/json", ...more },
    body,
  });
  const written = (operation: Operation, params?: JsonObject) => {
    const id = `call-${randomUUID()}`;
    return { id, body: JSON.stringify({ jsonrpc: "2.0", id, method: methods[version][operation], params }) };
  };

  async function call(operation: Operation, params?: JsonObject, headers?: Record<string, string>): Promise<Shape> {
    const { id, body } = written(operation, params);
    const answer = await plain(agent(), posting(body, headers));
    const json = JSON.parse(answer.text) as JsonObject;
    if (json["error"]) throw rpcRefused(answer, id);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(Object.keys(json)).toEqual(["jsonrpc", "id", "result"]);
    expect([json["jsonrpc"], json["id"]]).toEqual(["2.0", id]);
    return checked(wire, operation, json["result"]!);
  }

  async function follow(operation: Operation, params: JsonObject, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const { id, body } = written(operation, params);
    const response = await open(agent(), posting(body));
    if (!isStreamed(response)) throw rpcRefused(await rest(response), id);
    const events: Told[] = [];
    for await (const data of serverSentData(response)) {
      const { result, ...envelope } = JSON.parse(data) as JsonObject;
      expect(envelope).toEqual({ jsonrpc: "2.0", id });
      events.push(family.told(checked(wire, "SubscribeToTask", result!)));
      if (events.length >= take) {
        response.destroy();
        break;
      }
    }
    return events;
  }

  const about = (id: string, more: object = {}) => defined({ id, ...more }) as JsonObject;
  return {
    name,
    wire,
    transport: "JSONRPC",
    send: async (sending) => family.told(await call("SendMessage", family.send(sending))),
    stream: (sending, take) => follow("SendStreamingMessage", family.send(sending), take),
    get: async (id, historyLength) => family.task(await call("GetTask", about(id, { historyLength }))),
    cancel: async (id, metadata) => family.task(await call("CancelTask", about(id, { metadata }))),
    resubscribe: (id) => follow("SubscribeToTask", about(id)),
    setHook: async (taskId, hook) =>
      family.hookOut(await call("CreateTaskPushNotificationConfig", family.hookIn(taskId, hook))),
    getHook: async (id, pushNotificationConfigId) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", about(id, { pushNotificationConfigId }))),
    listHooks: async (id) =>
      ((await call("ListTaskPushNotificationConfigs", about(id))) as unknown as Shape[]).map(family.hookOut),
    deleteHook: async (id, pushNotificationConfigId) =>
      (await call("DeleteTaskPushNotificationConfig", { id, pushNotificationConfigId })) as unknown as JsonValue,
    extendedCard: async (token) =>
      (await call(
        "GetExtendedAgentCard",
        undefined,
        token === undefined ? {} : { Authorization: token },
      )) as JsonObject,
    async mistake(which) {
      if (which === "parse-error") throw rpcRefused(await plain(agent(), posting('{"jsonrpc":"2.0","id":1,')), null);
      const method = which === "unknown-method" ? "tasks/frobnicate" : methods[version].SendMessage;
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: {} });
      throw rpcRefused(await plain(agent(), posting(body)), 7);
    },
  };
}

// HTTP+JSON

function restRefused(answer: PlainAnswer): NoFromPeer {
  expect(answer).toMatchObject({ headers: { "content-type": "application/json" } });
  expect(answer.text).not.toMatch(inside);
  const json = JSON.parse(answer.text) as { code: number; data: { reason: string } };
  expect(json).toEqual({
    code: expect.any(Number),
    message: expect.stringMatching(/\S/),
    data: expect.objectContaining({ reason: expect.stringMatching(/^[A-Z_]+$/) }),
  });
  return new NoFromPeer({ http: answer.status, code: json.code, reason: json.data.reason }, answer);
}

export function overRest(agent: () => string, spelling: Spelling, name: string): OlderPeer {
  const family = proto(spelling);
  const wire = "0.3-proto";
  const asking = (method: string, body?: JsonObject): Plain => ({
    method,
    ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}),
  });

  async function call(operation: Operation, path: string, request: Plain): Promise<Shape> {
    const answer = await plain(`${agent()}/v1${path}`, request);
    if (answer.status >= 400) throw restRefused(answer);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    return checked(wire, operation, JSON.parse(answer.text) as JsonObject);
  }

  async function follow(path: string, request: Plain, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const response = await open(`${agent()}/v1${path}`, request);
    if (!isStreamed(response)) throw restRefused(await rest(response));
    const events: Told[] = [];
    for await (const data of serverSentData(response)) {
      events.push(family.told(checked(wire, "SubscribeToTask", JSON.parse(data) as JsonObject)));
      if (events.length >= take) {
        response.destroy();
        break;
      }
    }
    return events;
  }

  const hooks = (taskId: string) => `/tasks/${taskId}/pushNotificationConfigs`;
  const lengthName = spelling === "snake" ? "history_length" : "historyLength";
  return {
    name,
    wire,
    transport: "HTTP+JSON",
    send: async (sending) =>
      family.told(await call("SendMessage", "/message:send", asking("POST", family.send(sending)))),
    stream: (sending, take) => follow("/message:stream", asking("POST", family.send(sending)), take),
    get: async (id, length) => {
      const query = length === undefined ? "" : `?${lengthName}=${length}`;
      return family.task(await call("GetTask", `/tasks/${id}${query}`, asking("GET")));
    },
    cancel: async (id) => family.task(await call("CancelTask", `/tasks/${id}:cancel`, asking("POST"))),
    // The text says POST, the proto GET; one spelling stands for each.
    resubscribe: (id) => follow(`/tasks/${id}:subscribe`, asking(spelling === "snake" ? "GET" : "POST")),
    setHook: async (taskId, hook) =>
      family.hookOut(
        await call("CreateTaskPushNotificationConfig", hooks(taskId), asking("POST", family.hookIn(taskId, hook))),
      ),
    getHook: async (taskId, id = taskId) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", `${hooks(taskId)}/${id}`, asking("GET"))),
    listHooks: async (taskId) =>
      ((await call("ListTaskPushNotificationConfigs", hooks(taskId), asking("GET")))["configs"] ?? []).map(
        family.hookOut,
      ),
    deleteHook: async (taskId, id) =>
      (await call("DeleteTaskPushNotificationConfig", `${hooks(taskId)}/${id}`, asking("DELETE"))) as JsonObject,
    extendedCard: async (token) =>
      (await call("GetExtendedAgentCard", "/card", {
        headers: token === undefined ? {} : { Authorization: token },
      })) as JsonObject,
    async mistake(which) {
      if (which === "unknown-method") throw restRefused(await plain(`${agent()}/v1/frobnicate`));
      const body = which === "parse-error" ? '{"message":' : "{}";
      const headers = { "Content-Type": "application/json" };
      throw restRefused(await plain(`${agent()}/v1/message:send`, { method: "POST", headers, body }));
    },
  };
}

// gRPC

export function overGrpc(peer: () => GrpcPeer, name = "0.3 gRPC"): OlderPeer {
  const family = proto("camel");
  const wire = "0.3-proto";
  const call = async (operation: Operation, request: object, meta?: Record<string, string>): Promise<Shape> =>
    checked(wire, operation, await peer().ask<JsonObject>(operation, request, meta ? { meta } : {}));
  async function follow(operation: Operation, request: object, take = Number.POSITIVE_INFINITY): Promise<Told[]> {
    const events: Told[] = [];
    const stream = peer().open<JsonObject>(operation, request);
    try {
      for await (const event of stream) {
        events.push(family.told(checked(wire, operation, event as JsonObject)));
        if (events.length >= take) stream.cancel();
      }
    } catch (error) {
      if (events.length < take) throw error;
    }
    return events;
  }
  const task = (id: string) => `tasks/${id}`;
  const hookName = (taskId: string, id = taskId) => `${task(taskId)}/pushNotificationConfigs/${id}`;
  return {
    name,
    wire,
    transport: "GRPC",
    send: async (sending) => family.told(await call("SendMessage", family.send(sending))),
    stream: (sending, take) => follow("SendStreamingMessage", family.send(sending), take),
    get: async (id, historyLength) => family.task(await call("GetTask", defined({ name: task(id), historyLength }))),
    cancel: async (id) => family.task(await call("CancelTask", { name: task(id) })),
    resubscribe: (id) => follow("SubscribeToTask", { name: task(id) }),
    setHook: async (taskId, hook) =>
      family.hookOut(await call("CreateTaskPushNotificationConfig", family.hookIn(taskId, hook))),
    getHook: async (taskId, id) =>
      family.hookOut(await call("GetTaskPushNotificationConfig", { name: hookName(taskId, id) })),
    listHooks: async (taskId) =>
      ((await call("ListTaskPushNotificationConfigs", { parent: task(taskId) }))["configs"] ?? []).map(family.hookOut),
    deleteHook: async (taskId, id) =>
      (await call("DeleteTaskPushNotificationConfig", { name: hookName(taskId, id) })) as JsonObject,
    extendedCard: async (token) =>
      (await call("GetExtendedAgentCard", {}, token === undefined ? {} : { authorization: token })) as JsonObject,
    mistake(which) {
      const path = which === "unknown-method" ? "/a2a.v1.A2AService/Frobnicate" : grpcV03.path("SendMessage")!;
      const bytes = which === "parse-error" ? Buffer.from("ffffffff", "hex") : Buffer.alloc(0);
      return new Promise((resolve, reject) => {
        peer().client.makeUnaryRequest(
          path,
          () => bytes,
          (answer: Buffer) => answer,
          {},
          peer().metadata({}),
          (error, value) => (error ? reject(error) : resolve(value)),
        );
      });
    },
  };
}

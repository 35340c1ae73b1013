import { randomUUID } from "node:crypto";
import type { JsonObject, Operation, Task } from "@assay/protocol";
import { readStatusDetails } from "@assay/protocol/grpc";
import type { ServiceError } from "@grpc/grpc-js";
import { type GrpcPeer, version10 } from "./grpc.case.ts";
import { ask, open, type Plain, say, written } from "./testbed.case.ts";

export type Credentials = Readonly<Record<string, string>>;
export const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
/** The opaque token of a caller. */
export const bearer = (name: string): Credentials => ({ Authorization: `Bearer ${name}-token` });
export const [alice, bob, carol] = ["alice", "bob", "carol"].map(bearer) as [Credentials, Credentials, Credentials];

/** What JSON.parse gives: anything. */
type Loose = ReturnType<typeof JSON.parse>;

/** An answer on any wire: what was decided, and all of it in one text, to be compared byte by byte. */
export interface Answer {
  readonly verdict: string;
  readonly challenge: string | undefined;
  readonly whole: string;
}

export interface Wire {
  readonly name: string;
  readonly served: string;
  readonly refused: Readonly<Record<"401" | "403" | "404", string>>;
  /** the operations it has */
  readonly lacks?: readonly Operation[];
  ask(operation: Operation, request: JsonObject, credentials: Credentials): Promise<Answer>;
}

/** Headers that differ between any two answers. */
const passing = ["date", "content-length", "connection", "keep-alive"];

async function overHttp(url: string, request: Plain, credentials: Credentials, reasonIn: (json: Loose) => string) {
  const response = await open(url, { ...request, headers: { ...request.headers, ...credentials } });
  const streams = response.headers["content-type"] === "text/event-stream";
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk as string;
    if (streams) break;
  }
  if (streams) response.destroy();
  const reason = streams ? "" : reasonIn(JSON.parse(text));
  const headers = Object.entries(response.headers).filter(([name]) => !passing.includes(name));
  return {
    verdict: `${response.statusCode} ${reason}`.trim(),
    challenge: response.headers["www-authenticate"],
    whole: JSON.stringify([response.statusCode, headers, text]),
  };
}

const old = (message: Loose): JsonObject => ({
  ...message,
  kind: "message",
  role: "user",
  parts: message.parts.map((part: JsonObject) => ({ kind: "text", ...part })),
});

/** A 1.0 request as 0.3 writes it over JSON-RPC. */
function rpc03(operation: Operation, request: Loose): { method: string; params?: JsonObject } {
  const { id, taskId, url, message } = request;
  const key = { id: taskId, pushNotificationConfigId: id };
  switch (operation) {
    case "SendMessage":
      return { method: "message/send", params: { message: old(message) } };
    case "SendStreamingMessage":
      return { method: "message/stream", params: { message: old(message) } };
    case "GetTask":
      return { method: "tasks/get", params: { id } };
    case "CancelTask":
      return { method: "tasks/cancel", params: { id } };
    case "SubscribeToTask":
      return { method: "tasks/resubscribe", params: { id } };
    case "CreateTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/set", params: { taskId, pushNotificationConfig: { id, url } } };
    case "GetTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/get", params: key };
    case "ListTaskPushNotificationConfigs":
      return { method: "tasks/pushNotificationConfig/list", params: { id: taskId } };
    case "DeleteTaskPushNotificationConfig":
      return { method: "tasks/pushNotificationConfig/delete", params: key };
    case "GetExtendedAgentCard":
      return { method: "agent/getAuthenticatedExtendedCard" };
    case "ListTasks":
      throw new Error("0.3 has no ListTasks");
  }
}

/** The same over HTTP+JSON. */
function rest03(operation: Operation, request: Loose): { path: string; plain: Plain } {
  const { id, taskId, url, message } = request;
  const hooks = `/v1/tasks/${taskId}/pushNotificationConfigs`;
  const post = (path: string, body?: object) => ({
    path,
    plain: {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    },
  });
  const said = () => {
    const { parts, ...rest } = message;
    return { message: { ...rest, content: parts }, configuration: { blocking: true } };
  };
  switch (operation) {
    case "SendMessage":
      return post("/v1/message:send", said());
    case "SendStreamingMessage":
      return post("/v1/message:stream", said());
    case "GetTask":
      return { path: `/v1/tasks/${id}`, plain: {} };
    case "CancelTask":
      return post(`/v1/tasks/${id}:cancel`);
    case "SubscribeToTask":
      return post(`/v1/tasks/${id}:subscribe`);
    case "CreateTaskPushNotificationConfig":
      return post(hooks, {
        config: { name: `tasks/${taskId}/pushNotificationConfigs/${id}`, pushNotificationConfig: { id, url } },
      });
    case "GetTaskPushNotificationConfig":
      return { path: `${hooks}/${id}`, plain: {} };
    case "ListTaskPushNotificationConfigs":
      return { path: hooks, plain: {} };
    case "DeleteTaskPushNotificationConfig":
      return { path: `${hooks}/${id}`, plain: { method: "DELETE" } };
    case "GetExtendedAgentCard":
      return { path: "/v1/card", plain: {} };
    case "ListTasks":
      throw new Error("0.3 has no ListTasks");
  }
}

/** The metadata of gRPC spells headers in lower case. */
export const metaOf = (credentials: Credentials) =>
  Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name.toLowerCase(), value]));

async function overGrpc(
  peer: GrpcPeer,
  operation: Operation,
  request: JsonObject,
  credentials: Credentials,
): Promise<Answer> {
  const meta = { ...version10, ...metaOf(credentials) };
  const isStream = operation === "SendStreamingMessage" || operation === "SubscribeToTask";
  const given = { tenant: "secure", ...request };
  try {
    if (!isStream) {
      const { value } = await peer.call(operation, given, { meta });
      return { verdict: "OK", challenge: undefined, whole: JSON.stringify(value) };
    }
    const stream = peer.open(operation, given, { meta });
    for await (const event of stream) {
      stream.on("error", () => {}).cancel();
      return { verdict: "OK", challenge: undefined, whole: JSON.stringify(event) };
    }
    return { verdict: "OK", challenge: undefined, whole: "" };
  } catch (thrown) {
    const { code, details, metadata } = thrown as ServiceError;
    const [bytes] = metadata.get("grpc-status-details-bin") as Buffer[];
    const told = bytes && readStatusDetails(bytes);
    const trailers = Object.entries(metadata.toJSON()).filter(
      ([name]) => !/^(date|grpc-status-details-bin)$/.test(name),
    );
    return {
      verdict: `${code} ${told?.details[0]?.["reason"]}`,
      challenge: undefined,
      whole: JSON.stringify([code, details, told, trailers]),
    };
  }
}

/** Every way to ask an agent that is `secure`: bindings and versions. */
export const secureWires = (secure: () => string, grpc: () => GrpcPeer): readonly Wire[] => [
  {
    name: "JSON-RPC 1.0",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "200 TASK_NOT_FOUND" },
    ask(operation, request, credentials) {
      const sent = written(secure(), "JSONRPC", operation, request);
      return overHttp(sent.url, sent.plain, credentials, (json) => json.error?.data[0].reason ?? "");
    },
  },
  {
    name: "HTTP+JSON 1.0",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "404 TASK_NOT_FOUND" },
    ask(operation, request, credentials) {
      const sent = written(secure(), "HTTP+JSON", operation, request);
      return overHttp(sent.url, sent.plain, credentials, (json) => json.error?.details[0].reason ?? "");
    },
  },
  {
    name: "gRPC 1.0",
    served: "OK",
    refused: { "401": "16 UNAUTHENTICATED", "403": "7 PERMISSION_DENIED", "404": "5 TASK_NOT_FOUND" },
    ask: (operation, request, credentials) => overGrpc(grpc(), operation, request, credentials),
  },
  {
    name: "JSON-RPC 0.3",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "200 TASK_NOT_FOUND" },
    lacks: ["ListTasks"],
    ask(operation, request, credentials) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: `call-${randomUUID()}`, ...rpc03(operation, request) });
      const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      // Before the caller is known nothing else is, so that refusal has the shape of the agent's own version.
      const reason = (json: Loose) => json.error?.data.reason ?? json.error?.data[0].reason ?? "";
      return overHttp(secure(), sent, credentials, reason);
    },
  },
  {
    name: "HTTP+JSON 0.3",
    served: "200",
    refused: { "401": "401 UNAUTHENTICATED", "403": "403 PERMISSION_DENIED", "404": "404 TASK_NOT_FOUND" },
    lacks: ["ListTasks"],
    ask(operation, request, credentials) {
      const { path, plain: sent } = rest03(operation, request);
      return overHttp(`${secure()}${path}`, sent, credentials, (json) => json.data?.reason ?? "");
    },
  },
];
export const unknownTask = "11111111-2222-4333-8444-555555555555";
/** of a webhook that is never called */
export const hookUrl = "http://127.0.0.1:9/hook";

/** Everything that can be asked of one task. */
export const about = (id: string): [Operation, JsonObject][] => [
  ["GetTask", { id }],
  ["CancelTask", { id }],
  ["SubscribeToTask", { id }],
  ["SendMessage", { message: { ...say("done", { taskId: id }) } as unknown as JsonObject }],
  ["SendStreamingMessage", { message: { ...say("done", { taskId: id }) } as unknown as JsonObject }],
  ["CreateTaskPushNotificationConfig", { taskId: id, id: "theirs", url: hookUrl }],
  ["GetTaskPushNotificationConfig", { taskId: id, id: "hers" }],
  ["ListTaskPushNotificationConfigs", { taskId: id }],
  ["DeleteTaskPushNotificationConfig", { taskId: id, id: "hers" }],
];

/** Begins a task of a caller, and gives it as it was answered. */
export const tasksAt =
  (secure: () => string) =>
  async (who: Credentials, text: string, more: object = {}): Promise<Task> => {
    const { task } = await ask(secure(), "JSONRPC", "SendMessage", { message: say(text, more) }, who);
    return task!;
  };

import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { type Divergence, secure, spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { onFirstCall } from "../mutation/first-call.ts";
import { callWith } from "../mutation/grpc.ts";
import { changeRequests } from "../mutation/http.ts";
import { answerOf, eachMember, errors, events, without } from "../mutation/json.ts";
import { changeAnswer, refuseAs } from "../mutation/operations.ts";
import { asEmptyStream, changeJsonBody, forPosts } from "../mutation/requests.ts";

// Rules that 1.0 has too, broken in the format of 0.3. Most mutants of 1.0 misbehave there in the
// same way (`/mutants/<id>@spec03`); these change JSON that 0.3 writes differently.

type Codec = NonNullable<Layers["codec"]>;

/**
 * Changes the task or message in the response to a message: alone over JSON-RPC, elsewhere under its name.
 */
const answeredTask = (change: (task: JsonObject) => JsonObject): Codec =>
  answerOf("SendMessage", (answer) => {
    if (answer["kind"] === "task" || answer["status"] !== undefined) return change(answer);
    return isObject(answer["task"]) ? { ...answer, task: change(answer["task"] as JsonObject) } : answer;
  });

const overJsonRpc =
  (codec: Codec): Codec =>
  (json, written) =>
    written.binding === "JSONRPC" ? codec(json, written) : json;

const overRest =
  (codec: Codec): Codec =>
  (json, written) =>
    written.binding === "HTTP+JSON" ? codec(json, written) : json;

/** Changes every object that has this member, including the free JSON of users. */
const each = (json: JsonValue, name: string, change: (value: JsonValue) => JsonValue): JsonValue => {
  if (Array.isArray(json)) return json.map((entry) => each(entry, name, change));
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).map(([key, value]): [string, JsonValue] => [
    key,
    key === name ? change(value) : each(value, name, change),
  ]);
  return Object.fromEntries(members);
};

const updates = (change: (update: JsonObject) => JsonObject): Codec =>
  overJsonRpc(events((event) => (String(event["kind"]).endsWith("-update") ? change(event) : event)));

/** Returns an internal error instead of the error for a missing member. */
const breaksDownWithout = (member: string): Codec =>
  errors("JSONRPC", (answer) => {
    const { code, message } = answer["error"] as JsonObject;
    return code === -32602 && String(message).includes(`: ${member} is required`)
      ? { ...answer, error: { code: -32603, message: "Internal error" } }
      : answer;
  });

/** Rejects subscriptions with an empty stream. */
const silentRefusals = forPosts((body) => body.includes('"tasks/resubscribe"'), asEmptyStream);

const unrouted = (fits: (path: string, method: string) => boolean) =>
  changeRequests(({ path, method }) => (fits(path, method) ? { method: "PUT" } : {}));

/** Changes a JSON-RPC call before the agent reads it. */
const changeCall = (change: (params: Record<string, unknown>, method: string) => void) =>
  changeJsonBody((call) => {
    if (isObject(call["params"])) change(call["params"], String(call["method"]));
    return { ...call };
  });

/** Returns the last configuration to requests that name no task. */
function lastConfig(): Layers {
  let last = "";
  return {
    http: (serve) =>
      changeCall((params, method) => {
        if (method === "tasks/pushNotificationConfig/set") last = String(params["taskId"]);
        else if (method.startsWith("tasks/pushNotificationConfig/")) params["id"] ??= last;
      })(serve),
  };
}

const breaking = (body: (id: JsonValue) => string, type: string) =>
  onFirstCall("tasks/cancel", (id, reply) => reply.send(500, { "Content-Type": type }, body(id)));

export const sharedMutants: readonly Divergence[] = [
  spec03("SEND-001.nothing-03", "A message gets an empty object as its result.", {
    codec: answerOf("SendMessage", () => ({})),
  }),

  spec03("SEND-003.breaks-down-03", "A send without a message causes an internal error over JSON-RPC.", {
    codec: breaksDownWithout("message"),
  }),

  spec03("SEND-011.no-artifacts-03", "A message gets a task without its artifacts.", {
    codec: answeredTask((task) => without(task, "artifacts")),
  }),

  spec03("SEND-014.no-parts-03", "A send that does not wait gets a message without parts.", {
    operations: changeAnswer(["SendMessage"], (answer, { request }) => {
      const { message } = answer;
      return message && request.configuration?.returnImmediately ? { message: { ...message, parts: [] } } : answer;
    }),
  }),

  spec03("CTX-001.hidden-03", "The response to a message lacks the new contextId.", {
    codec: answeredTask((task) => without(task, "contextId")),
  }),

  spec03("LIFE-001.thinking-03", "A working task has the state thinking.", {
    codec: (json) => each(json, "state", (state) => (state === "working" ? "thinking" : state)),
  }),

  spec03("STREAM-008.bare-03", "Artifact updates of a stream have no kind.", {
    codec: overJsonRpc(events((event) => (event["kind"] === "artifact-update" ? { artifact: "?" } : event))),
  }),

  spec03("STREAM-019.no-context-03", "Updates of a stream lack contextId.", {
    codec: updates((update) => without(update, "contextId")),
  }),

  spec03("JSONRPC-010.private-code-03", "An internal error, which occurs once, has a custom code.", () => ({
    http: breaking(
      (id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code: 500, message: "Internal Server Error" } }),
      "application/json",
    ),
  })),

  spec03("JSONRPC-019.empty-stream-03", "Subscribing to an unknown task returns an empty stream.", {
    http: silentRefusals,
  }),

  spec03("REST-001.nothing-03", "POST /v1/message:send returns an empty object.", {
    codec: overRest(answerOf("SendMessage", () => ({}))),
  }),

  spec03("REST-001.bare-03", "POST /v1/message:send returns the Task without the task wrapper.", {
    codec: overRest(answerOf("SendMessage", ({ task, message }) => (task ?? message)!)),
  }),

  spec03("REST-007.other-task-03", "A push configuration created over HTTP+JSON has the name of another task.", {
    codec: overRest(
      answerOf("CreateTaskPushNotificationConfig", (config) => ({
        ...config,
        name: "tasks/another/pushNotificationConfigs/one",
      })),
    ),
  }),

  spec03("REST-008.other-url-03", "Push configurations over HTTP+JSON have another URL.", {
    codec: overRest(
      answerOf(
        "GetTaskPushNotificationConfig",
        (config) => each(config, "url", () => "https://example.com/") as JsonObject,
      ),
    ),
  }),

  spec03("REST-009.no-list-03", "HTTP+JSON does not list push configurations.", {
    http: unrouted((path, method) => method === "GET" && path.endsWith("/pushNotificationConfigs")),
  }),

  spec03("REST-011.no-card-03", "No path of HTTP+JSON returns the extended card.", {
    http: unrouted((path) => path.endsWith("/card")),
  }),

  spec03("GRPC-002.no-list-03", "Listing push configurations over gRPC returns UNIMPLEMENTED.", {
    grpc: (call) =>
      call.path.endsWith("/ListTaskPushNotificationConfig")
        ? callWith(call, { send: () => undefined, end: () => call.end(12, "not implemented") })
        : call,
  }),

  spec03("GRPC-010.other-task-03", "A push configuration created over gRPC has the name of another task.", {
    codec: (json, { is, binding, operation }) =>
      is === "answer" && binding === "GRPC" && operation === "CreateTaskPushNotificationConfig"
        ? { ...(json as JsonObject), name: "tasks/another/pushNotificationConfigs/one" }
        : json,
  }),

  spec03("GRPC-017.ends-well-03", "The gRPC stream of an unknown task ends with OK.", {
    grpc: (call) =>
      /\/(TaskSubscription|SendStreamingMessage)$/.test(call.path)
        ? callWith(call, { end: (status, ...more) => (status === 5 ? call.end(0) : call.end(status, ...more)) })
        : call,
  }),

  spec03("BIND-001.no-cancel-03", "HTTP+JSON does not cancel tasks.", {
    http: unrouted((path) => path.endsWith(":cancel")),
  }),

  secure("BIND-004.open-rest", "Treats every HTTP+JSON request as one of alice.", {
    http: changeRequests(({ path, headers }) =>
      /\/(message:|tasks\b|card$|extendedAgentCard)/.test(path)
        ? { headers: { ...headers, authorization: "Bearer alice-token" } }
        : {},
    ),
  }),

  spec03("ERR-015.page-03", "An internal error, which occurs once, returns an HTML page.", () => ({
    http: breaking(() => "<!doctype html><h1>Internal Server Error</h1>\n", "text/html"),
  })),

  spec03("ERR-020.internal-03", "An unknown task causes an internal error.", {
    operations: refuseAs(
      ["GetTask", "CancelTask"],
      "TaskNotFound",
      "Internal",
      "The agent failed to handle this request",
    ),
  }),

  spec03("PUSH-008.no-scheme-03", "The agent accepts an authentication with credentials and without schemes.", {
    http: changeCall((params) => {
      const config = params["pushNotificationConfig"];
      if (isObject(config) && isObject(config["authentication"]) && !config["authentication"]["schemes"])
        delete config["authentication"];
    }),
  }),

  spec03("PUSH-046.some-03", "Reading a push configuration without a task id returns the last one created.", () =>
    lastConfig(),
  ),

  spec03("PUSH-027.crossed-03", "Notifications have the id of another task.", {
    push: (post) => (url, headers, body, signal) => {
      const id = (JSON.parse(body) as { id?: string }).id ?? "";
      return post(url, headers, id ? body.replaceAll(id, randomUUID()) : body, signal);
    },
  }),

  spec03("PUSH-044.never-the-end-03", "Notifications omit the end of the task.", {
    push: (post) => async (url, headers, body, signal) =>
      /"state":"(completed|failed|canceled|rejected)"/.test(body) ? { status: 200 } : post(url, headers, body, signal),
  }),

  spec03("DATA-016.stub-03", "A message gets a task without a status.", {
    codec: overJsonRpc(answeredTask((task) => without(task, "status"))),
  }),

  spec03("DATA-017.bare-03", "A message gets a task whose status is only the name of its state.", {
    codec: overJsonRpc(answeredTask((task) => ({ ...task, status: (task["status"] as JsonObject)["state"]! }))),
  }),

  spec03("DATA-019.turned-03", "Stores the client's messages with the role of the agent.", {
    codec: overJsonRpc((json) =>
      each(json, "history", (history) => each(history, "role", (role) => (role === "user" ? "agent" : role))),
    ),
  }),

  spec03("DATA-021.hex-03", "File parts have hexadecimal bytes.", {
    codec: overJsonRpc((json) => each(json, "bytes", (bytes) => Buffer.from(String(bytes), "base64").toString("hex"))),
  }),

  spec03("DATA-025.no-task-03", "Status updates of a stream lack taskId.", {
    codec: updates((update) => (update["kind"] === "status-update" ? without(update, "taskId") : update)),
  }),

  spec03("DATA-020.empty-file-03", "File parts have a name and a type, but no content.", {
    codec: (json, { binding }) =>
      binding === "JSONRPC"
        ? eachMember(json, "file", (file): JsonValue => without(file as JsonObject, "bytes"))
        : json,
  }),
];

import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Flaw, Rpc } from "./planting-front.ts";

/** Violations that authors of agents are likely to commit, one of each kind. */

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Changes every object in a value, innermost first. */
function eachObject(value: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((each) => eachObject(each, change));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([name, member]) => [name, eachObject(member as JsonValue, change)]);
  return change(Object.fromEntries(inner) as JsonObject);
}

const everywhere =
  (change: (object: JsonObject) => JsonObject): NonNullable<Flaw["answer"]> =>
  (answer) =>
    eachObject(answer, change) as JsonObject;

/** Changes the result of some methods. */
const resultOf =
  (method: string, change: (result: JsonObject, rpc: Rpc) => JsonObject): NonNullable<Flaw["answer"]> =>
  (answer, rpc) =>
    rpc.method === method && "result" in answer
      ? { ...answer, result: change(asObject(answer["result"]), rpc) }
      : answer;

/** Changes the params of some methods. */
const paramsOf =
  (methods: RegExp, change: (params: JsonObject) => JsonObject): NonNullable<Flaw["request"]> =>
  (rpc) =>
    methods.test(rpc.method) ? { ...rpc, params: change(rpc.params) } : rpc;

const inMessage =
  (...names: string[]) =>
  (params: JsonObject): JsonObject => ({ ...params, message: without(asObject(params["message"]), ...names) });

const withConfiguration =
  (change: (configuration: JsonObject) => JsonObject) =>
  (params: JsonObject): JsonObject => ({ ...params, configuration: change(asObject(params["configuration"])) });

const errorOf =
  (method: RegExp, code: number, other: JsonObject): NonNullable<Flaw["answer"]> =>
  (answer, rpc) =>
    method.test(rpc.method) && asObject(answer["error"])["code"] === code
      ? { ...without(answer, "error"), ...other }
      : answer;

const isEnd = (event: JsonObject): boolean =>
  /"TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)"/.test(
    JSON.stringify(asObject(event["result"])["statusUpdate"] ?? {}),
  );

export const flaws: readonly Flaw[] = [
  { does: "the card has no name", rules: ["CARD-003"], card: (card) => without(card, "name") },
  {
    does: "skills on the card have no tags",
    rules: ["CARD-022"],
    card: (card) => ({ ...card, skills: [without(asObject((card["skills"] as JsonObject[])[0]), "tags")] }),
  },
  {
    does: "a send is answered with the bare task",
    rules: ["SEND-001", "JSONRPC-015"],
    answer: resultOf("SendMessage", (result) => asObject(result["task"] ?? result)),
  },
  {
    does: "a send never waits",
    rules: ["SEND-010"],
    request: paramsOf(
      /^SendMessage$/,
      withConfiguration((given) => ({ ...given, returnImmediately: true })),
    ),
  },
  {
    does: "returnImmediately is ignored",
    rules: ["SEND-012"],
    request: paramsOf(
      /^SendMessage$/,
      withConfiguration((given) => without(given, "returnImmediately")),
    ),
  },
  {
    does: "GetTask shows no artifacts",
    rules: ["GET-001"],
    answer: resultOf("GetTask", (task) => without(task, "artifacts")),
  },
  {
    does: "an unknown task is an internal error",
    rules: ["GET-002", "ERR-020"],
    answer: errorOf(/^GetTask$/, -32001, { error: { code: -32603, message: "Internal error" } }),
  },
  {
    does: "historyLength is ignored",
    rules: ["HIST-001", "HIST-003", "HIST-006"],
    request: (rpc) => ({
      ...rpc,
      params: eachObject(rpc.params, (object) => without(object, "historyLength")) as JsonObject,
    }),
  },
  {
    does: "pageSize is ignored",
    rules: ["LIST-008", "LIST-011", "LIST-005"],
    request: paramsOf(/^ListTasks$/, (params) => without(params, "pageSize", "pageToken")),
  },
  {
    does: "a list is not filtered by status",
    rules: ["LIST-016"],
    request: paramsOf(/^ListTasks$/, (params) => without(params, "status")),
  },
  {
    does: "a page has no nextPageToken where it is the last",
    rules: ["LIST-003"],
    answer: resultOf("ListTasks", (page) => (page["nextPageToken"] ? page : without(page, "nextPageToken"))),
  },
  {
    does: "CancelTask says canceled, and the task goes on",
    rules: ["CANCEL-005", "CANCEL-001", "LIFE-002"],
    request: (rpc) => (rpc.method === "CancelTask" ? { method: "GetTask", params: { id: rpc.params["id"]! } } : rpc),
    answer: resultOf("CancelTask", (task) => ({
      ...task,
      status: { ...asObject(task["status"]), state: "TASK_STATE_CANCELED" },
    })),
  },
  {
    does: "a task that has ended can be canceled",
    rules: ["CANCEL-002"],
    answer: errorOf(/^CancelTask$/, -32002, {
      result: { id: "1", contextId: "1", status: { state: "TASK_STATE_CANCELED" } },
    }),
  },
  {
    does: "the context of the client is replaced",
    rules: ["CTX-002"],
    request: paramsOf(/^Send/, (params) =>
      asObject(params["message"])["taskId"] === undefined ? inMessage("contextId")(params) : params,
    ),
  },
  {
    does: "a message to an unknown task makes a new one",
    rules: ["CTX-008"],
    request: paramsOf(/^Send/, inMessage("taskId")),
  },
  {
    does: "times are local, without a zone",
    rules: ["DATA-006", "DATA-007"],
    answer: everywhere((object) =>
      typeof object["timestamp"] === "string"
        ? { ...object, timestamp: object["timestamp"].replace(/Z$/, "") }
        : object,
    ),
  },
  {
    does: "states are written in lower case",
    rules: ["DATA-003", "DATA-005", "LIFE-001"],
    answer: everywhere((object) =>
      typeof object["state"] === "string"
        ? { ...object, state: object["state"].replace("TASK_STATE_", "").toLowerCase() }
        : object,
    ),
  },
  {
    does: "messages of the agent have the role of the user",
    rules: ["DATA-019"],
    answer: everywhere((object) => (object["role"] === "ROLE_AGENT" ? { ...object, role: "ROLE_USER" } : object)),
  },
  {
    does: "a stream does not open with the task",
    rules: ["STREAM-003"],
    async *events(events, { method }) {
      let isFirst = method === "SendStreamingMessage";
      for await (const event of events) {
        if (!(isFirst && "task" in asObject(event["result"]))) yield event;
        isFirst = false;
      }
    },
  },
  {
    does: "a stream closes before its task has ended",
    rules: ["STREAM-006", "STREAM-005"],
    async *events(events) {
      for await (const event of events) {
        if (isEnd(event)) return;
        yield event;
      }
    },
  },
  {
    does: "updates of a stream name another task",
    rules: ["STREAM-019"],
    async *events(events) {
      for await (const event of events)
        yield eachObject(event, (object) =>
          typeof object["taskId"] === "string" && "status" in object ? { ...object, taskId: "another" } : object,
        ) as JsonObject;
    },
  },
  {
    does: "a subscription does not open with the task",
    rules: ["SUB-001"],
    async *events(events, { method }) {
      let isFirst = method === "SubscribeToTask";
      for await (const event of events) {
        if (!isFirst) yield event;
        isFirst = false;
      }
    },
  },
  {
    does: "a deleted push configuration stays",
    rules: ["PUSH-016", "PUSH-017"],
    request: (rpc) =>
      rpc.method === "DeleteTaskPushNotificationConfig" ? { ...rpc, method: "GetTaskPushNotificationConfig" } : rpc,
    answer: resultOf("DeleteTaskPushNotificationConfig", () => ({})),
  },
  {
    does: "webhooks are not called",
    rules: ["PUSH-020", "PUSH-044"],
    request: (rpc) => ({
      ...rpc,
      params: eachObject(rpc.params, (object) =>
        typeof object["url"] === "string" && !("parts" in object) && !("mediaType" in object)
          ? { ...object, url: "http://127.0.0.1:9/" }
          : object,
      ) as JsonObject,
    }),
  },
  {
    does: "a push configuration is answered without its id",
    rules: ["PUSH-005"],
    answer: resultOf("CreateTaskPushNotificationConfig", (config) => without(config, "id")),
  },
  {
    does: "A2A-Version is not looked at",
    rules: ["VER-005", "VER-008"],
    headers: (headers) => ({ ...headers, "a2a-version": "1.0" }),
  },
  {
    does: "an unknown method is an invalid request",
    rules: ["JSONRPC-006"],
    answer: errorOf(/./, -32601, { error: { code: -32600, message: "Invalid request" } }),
  },
  {
    does: "responses lack jsonrpc",
    rules: ["JSONRPC-003"],
    answer: (answer) => without(answer, "jsonrpc"),
  },
];

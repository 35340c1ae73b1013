import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageOf } from "../arbitraries.fixture.ts";
import { v10 } from "../dialects/v1.0/dialect.ts";
import { A2AError, type ErrorColumn, type ErrorName, errorDetails, errorTable, invalidParams } from "../errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../json.ts";
import { type Operation, operations } from "../operations.ts";
import {
  matchRoute,
  type RouteMatch,
  readQuery,
  readRestError,
  routes,
  writeRestError,
  writeRestRequest,
} from "./rest.ts";

const operationNames = Object.keys(operations) as Operation[];

function kindOf(action: () => unknown): [ErrorName, string] {
  try {
    action();
  } catch (error) {
    if (error instanceof A2AError) return [error.kind, error.message];
    throw error;
  }
  throw new Error("nothing was thrown");
}

const table: [verb: string, path: string, operation: Operation, members: Record<string, string>][] = [
  ["POST", "/message:send", "SendMessage", {}],
  ["POST", "/message:stream", "SendStreamingMessage", {}],
  ["GET", "/tasks/t-1", "GetTask", { id: "t-1" }],
  ["GET", "/tasks", "ListTasks", {}],
  ["POST", "/tasks/t-1:cancel", "CancelTask", { id: "t-1" }],
  ["POST", "/tasks/t-1:subscribe", "SubscribeToTask", { id: "t-1" }],
  ["GET", "/tasks/t-1:subscribe", "SubscribeToTask", { id: "t-1" }],
  ["POST", "/tasks/t-1/pushNotificationConfigs", "CreateTaskPushNotificationConfig", { taskId: "t-1" }],
  ["GET", "/tasks/t-1/pushNotificationConfigs/c-1", "GetTaskPushNotificationConfig", { taskId: "t-1", id: "c-1" }],
  ["GET", "/tasks/t-1/pushNotificationConfigs", "ListTaskPushNotificationConfigs", { taskId: "t-1" }],
  [
    "DELETE",
    "/tasks/t-1/pushNotificationConfigs/c-1",
    "DeleteTaskPushNotificationConfig",
    { taskId: "t-1", id: "c-1" },
  ],
  ["GET", "/extendedAgentCard", "GetExtendedAgentCard", {}],
];

describe("each of the twelve routes", () => {
  test.each(table)("%s %s is %s", (verb, path, operation, members) => {
    expect(matchRoute(verb, path)).toEqual({ operation, members });
  });

  test.each(table)("%s %s is %s with a tenant in front", (verb, path, operation, members) => {
    expect(matchRoute(verb, `/north-sea${path}`)).toEqual({ operation, members, tenant: "north-sea" });
  });

  test("is in this table", () => {
    const byName = (a: string, b: string) => a.localeCompare(b);
    const known = routes.map(({ verb, operation }) => `${verb} ${operation}`).sort(byName);
    expect(table.map(([verb, , operation]) => `${verb} ${operation}`).sort(byName)).toEqual(known);
    expect(known.length).toBe(12);
  });
});

describe("a path with unusual ids", () => {
  test.each<[string, string, RouteMatch]>([
    ["GET", "/tasks/urn:task:7", { operation: "GetTask", members: { id: "urn:task:7" } }],
    ["POST", "/tasks/urn:task:7:cancel", { operation: "CancelTask", members: { id: "urn:task:7" } }],
    ["POST", "/tasks/a:cancel:cancel", { operation: "CancelTask", members: { id: "a:cancel" } }],
    ["POST", "/tasks/a:cancel:subscribe", { operation: "SubscribeToTask", members: { id: "a:cancel" } }],
    ["GET", "/tasks/a%3Acancel", { operation: "GetTask", members: { id: "a:cancel" } }],
    ["GET", "/tasks/a%3Asubscribe", { operation: "GetTask", members: { id: "a:subscribe" } }],
    ["GET", "/tasks/a:pause", { operation: "GetTask", members: { id: "a:pause" } }],
    ["GET", "/tasks/cancel", { operation: "GetTask", members: { id: "cancel" } }],
    [
      "GET",
      "/tasks/t/pushNotificationConfigs/c:cancel",
      { operation: "GetTaskPushNotificationConfig", members: { taskId: "t", id: "c:cancel" } },
    ],
    ["GET", "/tasks/a%2Fb", { operation: "GetTask", members: { id: "a/b" } }],
    ["POST", "/tasks/a%2Fb:cancel", { operation: "CancelTask", members: { id: "a/b" } }],
    ["GET", "/tasks/50%25", { operation: "GetTask", members: { id: "50%" } }],
    ["GET", "/tasks/%D1%82%20+", { operation: "GetTask", members: { id: "т +" } }],
    ["GET", "/tasks/message:send", { operation: "GetTask", members: { id: "message:send" } }],
    ["GET", "/tasks/tasks", { operation: "GetTask", members: { id: "tasks" } }],
    ["GET", "/a%2Fb/tasks", { operation: "ListTasks", members: {}, tenant: "a/b" }],
    ["POST", "/extendedAgentCard/message:send", { operation: "SendMessage", members: {}, tenant: "extendedAgentCard" }],
    ["GET", "/v1/tasks/x", { operation: "GetTask", members: { id: "x" }, tenant: "v1" }],
  ])("%s %s", (verb, path, match) => {
    expect(matchRoute(verb, path)).toEqual(match);
  });
});

describe("a path that exists, asked with the wrong verb, tells the right ones", () => {
  test.each([
    ["GET", "/message:send", ["POST"]],
    ["PUT", "/message:stream", ["POST"]],
    ["POST", "/tasks", ["GET"]],
    ["DELETE", "/tasks/t-1", ["GET"]],
    ["GET", "/tasks/t-1:cancel", ["POST"]],
    ["DELETE", "/tasks/t-1:cancel", ["POST"]],
    ["DELETE", "/tasks/t-1:subscribe", ["POST", "GET"]],
    ["DELETE", "/tasks/t-1/pushNotificationConfigs", ["POST", "GET"]],
    ["POST", "/tasks/t-1/pushNotificationConfigs/c-1", ["GET", "DELETE"]],
    ["POST", "/extendedAgentCard", ["GET"]],
    ["get", "/extendedAgentCard", ["GET"]],
    ["DELETE", "/north-sea/tasks", ["GET"]],
    ["GET", "/north-sea/tasks/t-1:cancel", ["POST"]],
  ])("%s %s", (verb, path, allowed) => {
    expect(matchRoute(verb, path)).toEqual({ allowed });
  });
});

test.each([
  "",
  "/",
  "//",
  "/message",
  "/message:",
  "/message:sent",
  "/Message:send",
  "/message:send/",
  "/tasks/",
  "//tasks",
  "//message:send",
  "/a/b/tasks",
  "/tasks/t-1/pushNotificationConfigs/",
  "/tasks//pushNotificationConfigs",
  "/tasks/t-1/pushNotificationConfigs/c-1/more",
  "/tasks/t-1/history",
  "/%74asks",
  "/card",
  "/.well-known/agent-card.json",
])("%j is no path of the protocol", (path) => {
  for (const verb of ["GET", "POST", "DELETE"]) expect(matchRoute(verb, path)).toBe(undefined);
});

test.each([
  "/tasks/%",
  "/tasks/%zz",
  "/tasks/a%2",
  "/tasks/%ff",
  "/tasks/%C3/pushNotificationConfigs",
  "/tasks/t/pushNotificationConfigs/%E0%A4%A",
  "/%/tasks",
])("GET %s has a broken percent-encoding, which is a fault of the parameters", (path) => {
  expect(kindOf(() => matchRoute("GET", path))).toEqual(["InvalidParams", "The path holds a broken percent-encoding"]);
});

describe("a query", () => {
  test.each<[Operation, string, JsonObject]>([
    ["ListTasks", "", {}],
    ["GetTask", "historyLength=3", { historyLength: "3" }],
    ["GetTask", "history_length=3", { historyLength: "3" }],
    ["GetTask", "historyLength=", {}],
    ["GetTask", "historyLength", {}],
    ["GetTask", "historyLength=1&historyLength=2", { historyLength: "2" }],
    ["GetTask", "historylength=3&A2A-Version=1.0&__proto__=x&constructor=y", {}],
    ["GetTask", "&&historyLength=3&", { historyLength: "3" }],
    [
      "ListTasks",
      "contextId=c%2F1&status=TASK_STATE_WORKING&pageSize=20&includeArtifacts=true",
      { contextId: "c/1", status: "TASK_STATE_WORKING", pageSize: "20", includeArtifacts: true },
    ],
    ["ListTasks", "includeArtifacts=false", { includeArtifacts: false }],
    ["ListTasks", "includeArtifacts=yes", { includeArtifacts: "yes" }],
    ["ListTasks", "contextId=true&pageToken=a%3Db%26c%2B", { contextId: "true", pageToken: "a=b&c+" }],
    ["ListTasks", "pageToken=a=b", { pageToken: "a=b" }],
    ["ListTasks", "contextId=two+words%20here", { contextId: "two words here" }],
    ["ListTasks", "context%49d=c", { contextId: "c" }],
    ["ListTasks", "tenant=north-sea", { tenant: "north-sea" }],
    ["ListTasks", "statusTimestampAfter=2026-04-01T00:00:00Z", { statusTimestampAfter: "2026-04-01T00:00:00Z" }],
  ])("of %s, %j", (operation, query, members) => {
    expect(readQuery(operation, query)).toEqual(members);
  });

  test.each(["contextId=%", "contextId=%ff", "%zz=1", "x=%"])("%s has a broken percent-encoding", (query) => {
    const refused = ["InvalidParams", "The query holds a broken percent-encoding"];
    expect(kindOf(() => readQuery("ListTasks", query))).toEqual(refused);
  });

  test("with a number that is none is left to the schema, which names it", () => {
    expect(v10.readRequest("ListTasks", readQuery("ListTasks", "pageSize=ten&includeArtifacts=yes"))).toMatchObject({
      violations: [
        { path: "$.pageSize", message: 'expected an integer, got "ten"' },
        { path: "$.includeArtifacts", message: 'expected a boolean, got "yes"' },
      ],
    });
  });
});

describe("a request as our clients write it", () => {
  test.each<[Operation, JsonObject, ReturnType<typeof writeRestRequest>]>([
    [
      "SendMessage",
      { tenant: "a b", message: { messageId: "m" } },
      { verb: "POST", target: "/a%20b/message:send", body: { tenant: "a b", message: { messageId: "m" } } },
    ],
    ["GetTask", { id: "t:1/2", historyLength: 0 }, { verb: "GET", target: "/tasks/t%3A1%2F2?historyLength=0" }],
    ["ListTasks", {}, { verb: "GET", target: "/tasks" }],
    [
      "ListTasks",
      { tenant: "", pageSize: 1, includeArtifacts: false },
      { verb: "GET", target: "/tasks?pageSize=1&includeArtifacts=false" },
    ],
    [
      "CancelTask",
      { id: "t", metadata: { why: "late" } },
      { verb: "POST", target: "/tasks/t:cancel", body: { metadata: { why: "late" } } },
    ],
    ["SubscribeToTask", { id: "t" }, { verb: "POST", target: "/tasks/t:subscribe", body: {} }],
    [
      "CreateTaskPushNotificationConfig",
      { id: "c", taskId: "t", url: "https://hooks.example" },
      { verb: "POST", target: "/tasks/t/pushNotificationConfigs", body: { id: "c", url: "https://hooks.example" } },
    ],
    [
      "DeleteTaskPushNotificationConfig",
      { tenant: "x", id: "c", taskId: "t" },
      { verb: "DELETE", target: "/x/tasks/t/pushNotificationConfigs/c" },
    ],
    ["GetExtendedAgentCard", {}, { verb: "GET", target: "/extendedAgentCard" }],
  ])("%s %j", (operation, request, written) => {
    expect(writeRestRequest(operation, request)).toStrictEqual(written);
  });

  test("leaves what it was given as it was", () => {
    const request = { tenant: "x", id: "t" };
    writeRestRequest("GetTask", request);
    expect(request).toEqual({ tenant: "x", id: "t" });
  });

  test.each(operationNames)("%s is understood by our server, whatever it asks", (operation) => {
    // A tenant called "tasks" cannot be told from the path of a task, and a path needs its ids.
    const inPath = routes.find((route) => route.operation === operation)!.path.filter((step) => step.startsWith("{"));
    const request = messageOf(operations[operation].request)
      .filter(({ tenant }) => tenant !== "tasks")
      .map(
        (value): JsonObject => ({
          ...value,
          ...Object.fromEntries(inPath.map((step) => step.slice(1, -1)).map((name) => [name, value[name] || ":/?#%"])),
        }),
      );
    fc.assert(
      fc.property(request, (value) => {
        const { verb, target, body } = writeRestRequest(operation, value);
        const [path, query = ""] = target.split("?");
        const match = matchRoute(verb, path!) as Extract<RouteMatch, { operation: Operation }>;
        expect(match.operation).toBe(operation);
        const { members, tenant } = match;
        const received = { ...body, ...readQuery(operation, query), ...members, ...(tenant && { tenant }) };
        // An empty member of a query is one that is not set, and so is the empty tenant.
        const kept = ([name, member]: [string, JsonValue]) => member !== "" || (body && name !== "tenant");
        const expected = Object.fromEntries(Object.entries(value).filter(kept));
        expect(v10.readRequest(operation, received)).toStrictEqual({ value: expected });
      }),
    );
  });
});

describe("an error body", () => {
  const kinds = Object.keys(errorTable) as ErrorName[];
  const columns: ErrorColumn[] = ["1.0.0", "1.0.1"];

  test.each(kinds.flatMap((kind) => columns.map((column) => [kind, column] as const)))(
    "of %s in the %s column is read as it was written",
    (kind, column) => {
      const error = new A2AError(kind, "told", { facts: { taskId: "t" } });
      const { http, grpc } = error.numbers(column);
      expect(readRestError(parseJson(writeRestError(error, column)))).toStrictEqual({
        code: http,
        message: "told",
        details: errorDetails(error),
        status: grpc,
      });
    },
  );

  test("is google.rpc.Status in its wrapper", () => {
    const error = invalidParams([{ path: "$.pageSize", message: "must be >= 1, got 0" }]);
    expect(parseJson(writeRestError(error))).toEqual({
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "Invalid parameters: pageSize must be >= 1, got 0",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "INVALID_PARAMS",
            domain: "a2a-protocol.org",
          },
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: [{ field: "pageSize", description: "must be >= 1, got 0" }],
          },
        ],
      },
    });
  });

  test.each<[string, JsonValue]>([
    ["without status and details", { error: { code: 404, message: "no" } }],
    ["with details that are no list", { error: { code: 404, message: "no", details: {}, status: 5 } }],
  ])("%s has neither", (_name, json) => {
    expect(readRestError(json)).toStrictEqual({ code: 404, message: "no", details: [] });
  });

  test.each<[JsonValue]>([
    [null],
    ["error"],
    [[]],
    [{}],
    [{ message: "Task not found" }],
    [{ error: null }],
    [{ error: "TaskNotFoundError", message: "Task not found" }],
    [{ error: { message: "no" } }],
    [{ error: { code: "404", message: "no" } }],
    [{ error: { code: 404 } }],
    [{ type: "about:blank", title: "no", status: 404 }],
  ])("is not %j", (json) => {
    expect(readRestError(json)).toBe(undefined);
  });
});

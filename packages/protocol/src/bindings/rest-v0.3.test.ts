import { describe, expect, test } from "vitest";
import { v03Proto } from "../dialects/v0.3-proto/dialect.ts";
import { A2AError, type ErrorName, errorTable } from "../errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../json.ts";
import type { Operation } from "../operations.ts";
import {
  matchRouteV03,
  readQueryV03,
  readRestErrorV03,
  restStatusV03,
  routesV03,
  writeRestErrorV03,
  writeRestRequestV03,
} from "./rest-v0.3.ts";

const push = "tasks/t-1/pushNotificationConfigs/c-1";

const table: [verb: string, path: string, operation: Operation, members: JsonObject][] = [
  ["POST", "/v1/message:send", "SendMessage", {}],
  ["POST", "/v1/message:stream", "SendStreamingMessage", {}],
  ["GET", "/v1/tasks/t-1", "GetTask", { name: "tasks/t-1" }],
  ["POST", "/v1/tasks/t-1:cancel", "CancelTask", { name: "tasks/t-1" }],
  ["POST", "/v1/tasks/t-1:subscribe", "SubscribeToTask", { name: "tasks/t-1" }],
  ["GET", "/v1/tasks/t-1:subscribe", "SubscribeToTask", { name: "tasks/t-1" }],
  ["POST", "/v1/tasks/t-1/pushNotificationConfigs", "CreateTaskPushNotificationConfig", { parent: "tasks/t-1" }],
  ["POST", "/v1/task/t-1/pushNotificationConfigs", "CreateTaskPushNotificationConfig", { parent: "tasks/t-1" }],
  ["GET", "/v1/tasks/t-1/pushNotificationConfigs", "ListTaskPushNotificationConfigs", { parent: "tasks/t-1" }],
  ["GET", "/v1/tasks/t-1/pushNotificationConfigs/c-1", "GetTaskPushNotificationConfig", { name: push }],
  ["DELETE", "/v1/tasks/t-1/pushNotificationConfigs/c-1", "DeleteTaskPushNotificationConfig", { name: push }],
  ["GET", "/v1/card", "GetExtendedAgentCard", {}],
];

describe("each of the twelve routes", () => {
  test.each(table)("%s %s is %s", (verb, path, operation, members) => {
    expect(matchRouteV03(verb, path)).toEqual({ operation, members });
  });

  test("is in this table", () => {
    expect(table.map(([verb, , operation]) => `${verb} ${operation}`).sort()).toEqual(
      routesV03.map(({ verb, operation }) => `${verb} ${operation}`).sort(),
    );
  });
});

test.each([
  ["GET", "/v1/tasks/a%2Fb", { name: "tasks/a/b" }],
  ["GET", "/v1/tasks/a%3Acancel", { name: "tasks/a:cancel" }],
  ["GET", "/v1/tasks/urn:task:7", { name: "tasks/urn:task:7" }],
  ["POST", "/v1/tasks/a:cancel:cancel", { name: "tasks/a:cancel" }],
])("%s %s names its task", (verb, path, members) => {
  expect(matchRouteV03(verb, path)).toMatchObject({ members });
});

test.each([
  ["GET", "/v1/message:send", ["POST"]],
  ["GET", "/v1/tasks/t:cancel", ["POST"]],
  ["DELETE", "/v1/tasks/t:subscribe", ["POST", "GET"]],
  ["PUT", "/v1/tasks/t/pushNotificationConfigs", ["POST", "GET"]],
  ["POST", "/v1/card", ["GET"]],
])("%s %s tells the right verbs", (verb, path, allowed) => {
  expect(matchRouteV03(verb, path)).toEqual({ allowed });
});

test.each(["", "/", "/v1", "/v1/tasks", "/v1/tasks/", "/tasks/t", "/v1/tasks/t/other", "/v2/card", "/v1/card/x"])(
  "%j is no path of 0.3",
  (path) => {
    expect(matchRouteV03("GET", path)).toBe(undefined);
  },
);

test("a broken percent-encoding is the client's mistake", () => {
  expect(() => matchRouteV03("GET", "/v1/tasks/%ZZ")).toThrow(A2AError);
});

test("a query gives what 0.3 asks there, in either spelling, and nothing else", () => {
  expect(readQueryV03("GetTask", "historyLength=3&tenant=x&id=y")).toEqual({ historyLength: "3" });
  expect(readQueryV03("GetTask", "history_length=3")).toEqual({ historyLength: "3" });
  expect(readQueryV03("ListTaskPushNotificationConfigs", "pageSize=2&pageToken=a%20b")).toEqual({
    pageSize: "2",
    pageToken: "a b",
  });
  const { value } = v03Proto.readRequest("GetTask", { historyLength: "3", name: "tasks/t" });
  expect(value).toEqual({ id: "t", historyLength: 3 });
});

test.each<[Operation, JsonObject, string, string, JsonObject | undefined]>([
  ["GetTask", { id: "a/b", historyLength: 3 }, "GET", "/v1/tasks/a%2Fb?historyLength=3", undefined],
  ["CancelTask", { id: "t-1" }, "POST", "/v1/tasks/t-1:cancel", {}],
  ["SubscribeToTask", { id: "$&" }, "POST", "/v1/tasks/%24%26:subscribe", {}],
  [
    "GetTaskPushNotificationConfig",
    { taskId: "a/b", id: "c/d" },
    "GET",
    "/v1/tasks/a%2Fb/pushNotificationConfigs/c%2Fd",
    undefined,
  ],
  [
    "ListTaskPushNotificationConfigs",
    { taskId: "t", pageSize: 2 },
    "GET",
    "/v1/tasks/t/pushNotificationConfigs?pageSize=2",
    undefined,
  ],
  ["GetExtendedAgentCard", {}, "GET", "/v1/card", undefined],
])("%s %j is written, and routed back to the same request", (operation, request, verb, target, body) => {
  const json = v03Proto.writeRequest(operation, request as never) as JsonObject;
  const written = writeRestRequestV03(operation, json);
  expect(written).toEqual({ verb, target, ...(body && { body }) });
  const [path, query = ""] = target.split("?") as [string, string?];
  const { members } = matchRouteV03(verb, path) as { members: JsonObject };
  const read = v03Proto.readRequest(operation, { ...body, ...readQueryV03(operation, query), ...members });
  expect(read).toEqual({ value: request });
});

describe("errors", () => {
  test.each(Object.keys(errorTable) as ErrorName[])("%s comes back from our own body", (kind) => {
    const error = new A2AError(kind, "no such tide", { facts: { taskId: "t" } });
    const back = readRestErrorV03(restStatusV03(error), parseJson(writeRestErrorV03(error)))!;
    expect([back.kind, back.message, back.facts]).toEqual([kind, "no such tide", { taskId: "t" }]);
  });

  test("the statuses are those of Python and Java", () => {
    const statusOf = (kind: ErrorName) => restStatusV03(new A2AError(kind, ""));
    expect([statusOf("TaskNotCancelable"), statusOf("UnsupportedOperation"), statusOf("InvalidParams")]).toEqual([
      409, 501, 400,
    ]);
  });

  test.each<[string, number, JsonValue, ErrorName | undefined]>([
    ["JS", 409, { code: -32002, message: "m" }, "TaskNotCancelable"],
    ["JS, a code of nobody", 500, { code: -1, message: "m" }, "Internal"],
    ["Python", 409, { message: "m" }, "TaskNotCancelable"],
    ["Python, for anything it did not expect", 500, { message: "unknown exception" }, "Internal"],
    ["Python's framework", 405, { detail: "Method Not Allowed" }, "MethodNotAllowed"],
    [
      "Java",
      501,
      { error: "x.spec.PushNotificationNotSupportedError_v0_3", message: "m" },
      "PushNotificationNotSupported",
    ],
    [
      "the body of 1.0",
      400,
      { error: { code: 400, message: "m", details: [{ reason: "TASK_NOT_CANCELABLE" }] } },
      "TaskNotCancelable",
    ],
    ["the body of 1.0 without details", 404, { error: { code: 404, message: "m" } }, "TaskNotFound"],
    ["a status of nobody", 418, { message: "m" }, "Internal"],
    ["no message", 404, { status: 404 }, undefined],
    ["a page", 404, "<html>", undefined],
  ])("%s", (_name, status, body, kind) => {
    expect(readRestErrorV03(status, body)?.kind).toBe(kind);
  });
});

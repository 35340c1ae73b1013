import type { Operation } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../fixtures/grpc.fixture.ts";
import { say, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { taskFrom, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { spec } = useSpecOverGrpc();

describe("errors carry their status, and an ErrorInfo in the trailers", () => {
  test.each<Operation>(["GetTask", "CancelTask", "SubscribeToTask"])("%s of an unknown task", async (operation) => {
    expect(await spec.refusal(operation, { id: unknownTask })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test.each<Operation>(["SendMessage", "SendStreamingMessage"])("%s to an unknown task", async (operation) => {
    expect(await spec.refusal(operation, { message: say("x", { taskId: unknownTask }) })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test("a finished task: cancel, send, stream, subscribe", async () => {
    const { id } = await taskFrom(spec, sending("task-lifecycle x"));
    const unsupported = { status: "FAILED_PRECONDITION", reason: "UNSUPPORTED_OPERATION" };
    expect(await spec.refusal("CancelTask", { id })).toEqual({
      status: "FAILED_PRECONDITION",
      reason: "TASK_NOT_CANCELABLE",
    });
    expect(await spec.refusal("SendMessage", { message: say("again", { taskId: id }) })).toEqual(unsupported);
    expect(await spec.refusal("SendStreamingMessage", { message: say("x", { taskId: id }) })).toEqual(unsupported);
    expect(await spec.refusal("SubscribeToTask", { id })).toEqual(unsupported);
  });

  test.each([
    ["internal-error", "INTERNAL_ERROR"],
    ["invalid-response", "INVALID_AGENT_RESPONSE"],
  ])("an agent that breaks down: %s", async (text, reason) => {
    for (const operation of ["SendMessage", "SendStreamingMessage"] as const)
      expect(await spec.refusal(operation, sending(text))).toEqual({ status: "INTERNAL", reason });
  });

  test("push notifications, which /spec does not offer", async () => {
    const { id: taskId } = await taskFrom(spec, sending("task-lifecycle x"));
    const refused = { status: "FAILED_PRECONDITION", reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" };
    const given = { taskId, id: "c", url: "http://127.0.0.1:9/hook" };
    for (const operation of [
      "CreateTaskPushNotificationConfig",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
      "DeleteTaskPushNotificationConfig",
    ] as const) {
      expect([operation, await spec.refusal(operation, given)]).toEqual([operation, refused]);
    }
  });

  test("streams and extended cards of agents that have none", async () => {
    const unsupported = { status: "FAILED_PRECONDITION", reason: "UNSUPPORTED_OPERATION" };
    expect(await spec.refusal("SendStreamingMessage", { tenant: "echo", ...sending("x") })).toEqual(unsupported);
    expect(await spec.refusal("SubscribeToTask", { tenant: "echo", id: unknownTask })).toEqual(unsupported);
    expect(await spec.refusal("GetExtendedAgentCard", { tenant: "minimal" })).toEqual(unsupported);
  });

  test.each<[string, Operation, object, string[]]>([
    ["a request without its message", "SendMessage", {}, ["message"]],
    [
      "a message without an id",
      "SendMessage",
      { message: { role: "ROLE_USER", parts: [{ text: "x" }] } },
      ["message.messageId"],
    ],
    [
      "a message without a role",
      "SendMessage",
      { message: { messageId: "m", parts: [{ text: "x" }] } },
      ["message.role"],
    ],
    ["a message without parts", "SendMessage", { message: { messageId: "m", role: "ROLE_USER" } }, ["message.parts"]],
    [
      "a part without content",
      "SendMessage",
      { message: { messageId: "m", role: "ROLE_USER", parts: [{ filename: "x" }] } },
      ["message.parts[0]"],
    ],
    ["a negative history", "GetTask", { id: "x", historyLength: -1 }, ["historyLength"]],
    ["a page too large", "ListTasks", { pageSize: 101 }, ["pageSize"]],
    ["a page of nothing", "ListTasks", { pageSize: 0 }, ["pageSize"]],
    ["a forged page token", "ListTasks", { pageToken: "bm8.bm8" }, ["pageToken"]],
    ["a task without a name", "GetTask", {}, ["id"]],
  ])("%s is blamed on its field", async (_name, operation, request, fields) => {
    expect(await spec.refusal(operation, request)).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields,
    });
  });

  test("a follow-up in the wrong context", async () => {
    const { id } = await taskFrom(spec, sending("multi-turn x"));
    expect(await spec.refusal("SendMessage", { message: say("x", { taskId: id, contextId: "other" }) })).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields: ["message.contextId"],
    });
  });

  test("an unknown method returns UNIMPLEMENTED, on every service and on unknown ones", async () => {
    for (const path of [
      "/lf.a2a.v1.A2AService/GetTasks",
      "/lf.a2a.v1.A2AService/",
      "/a2a.v1.A2AService/ListTasks",
      "/a2a.v1.A2AService/SubscribeToTask",
      "/lf.a2a.v2.A2AService/GetTask",
      "/grpc.health.v1.Health/Check",
      "/constructor/toString",
    ]) {
      const work = new Promise((resolve, reject) => {
        spec.client.makeUnaryRequest(
          path,
          () => Buffer.alloc(0),
          (bytes: Buffer) => bytes,
          {},
          spec.metadata(),
          (error, value) => (error ? reject(error) : resolve(value)),
        );
      });
      expect([path, await refusalOf(work)]).toEqual([path, { status: "UNIMPLEMENTED", reason: "METHOD_NOT_FOUND" }]);
    }
  });

  test.each<[string, Buffer[], string]>([
    ["no message at all", [], "INVALID_REQUEST"],
    ["two messages", [Buffer.alloc(0), Buffer.alloc(0)], "INVALID_REQUEST"],
    ["bytes that are no protobuf", [Buffer.from("ffffffff", "hex")], "INVALID_PARAMS"],
    ["a message cut off in a field", [Buffer.from("12ff7f00", "hex")], "INVALID_PARAMS"],
    ["text that is no UTF-8", [Buffer.from("1202fffe", "hex")], "INVALID_PARAMS"],
  ])("%s is an invalid argument", async (_name, messages, reason) => {
    const work = new Promise((resolve, reject) => {
      const call = spec.client.makeClientStreamRequest(
        grpcV10.path("GetTask")!,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        spec.metadata(),
        (error, value) => (error ? reject(error) : resolve(value)),
      );
      for (const message of messages) call.write(message);
      call.end();
    });
    expect(await refusalOf(work)).toEqual({ status: "INVALID_ARGUMENT", reason });
  });
});

import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { behaviourOf } from "../behaviour.ts";
import { changesIn } from "./changes.ts";
import type { RecordedCall } from "./read-exchange.ts";
import { translateAll } from "./translate.ts";

const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
const task = (state: string): JsonObject => ({ kind: "task", id: "t1", contextId: "c1", status: { state } });

const call = (
  operation: RecordedCall["operation"],
  method: string,
  params: JsonObject,
  answer: JsonObject,
): RecordedCall => ({
  id: "x1",
  operation,
  dialect: "0.3",
  binding: "JSONRPC",
  request: { verb: "POST", path: "/", base: "", params, body: { jsonrpc: "2.0", id: 1, method, params } },
  response: { status: 200, body: { jsonrpc: "2.0", id: 1, ...answer } },
});

test("a message and its task are written in 1.0", () => {
  const [sent] = translateAll([call("SendMessage", "message/send", { message }, { result: task("completed") })]);
  expect(sent!.request.next.body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } },
  });
  expect(sent!.response.next.body).toMatchObject({
    result: { task: { id: "t1", status: { state: "TASK_STATE_COMPLETED" } } },
  });
  expect(changesIn(sent!).map(({ id }) => id)).toEqual([
    "method",
    "version-header",
    "wrapper",
    "kind",
    "part",
    "state",
    "role",
  ]);
});

test("a message to an ended task gets the error that 1.0 names, and the plan says so", () => {
  const refused = { error: { code: -32600, message: "Task t1 is in a terminal state" } };
  const calls = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: task("completed") }),
    call("SendMessage", "message/send", { message: { ...message, taskId: "t1" } }, refused),
  ]);
  expect(calls[1]!.response.next.body).toMatchObject({
    error: { code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] },
  });
  expect(behaviourOf("SendMessage", calls).find(({ rule }) => rule === "SEND-008")).toMatchObject({ isMet: false });
});

test("the same error before the end of the task stays", () => {
  const refused = { error: { code: -32600, message: "no" } };
  const [only] = translateAll([
    call("SendMessage", "message/send", { message: { ...message, taskId: "t1" } }, refused),
  ]);
  expect(only!.response.next.body).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: "no" } });
});

test("an operation that the card does not declare gets the error that 1.0 names", () => {
  const set = call(
    "CreateTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/set",
    { taskId: "t1", pushNotificationConfig: { url: "https://a.example/" } },
    { error: { code: -32603, message: "no" } },
  );
  const capabilities = { streaming: true, pushNotifications: false, extendedAgentCard: false };
  const [undeclared] = translateAll([set], capabilities);
  expect(undeclared!.response.next.body).toMatchObject({ error: { code: -32003 } });
  const [declared] = translateAll([set], { ...capabilities, pushNotifications: true });
  expect(declared!.response.next.body).toMatchObject({ error: { code: -32603 } });
});

test("a request that breaks its version is left out", () => {
  expect(translateAll([call("SendMessage", "message/send", { message: 5 }, { result: task("completed") })])).toEqual(
    [],
  );
});

test("a response that breaks its version is translated as far as possible, and told", () => {
  const [odd] = translateAll([
    call("GetTask", "tasks/get", { id: "t1" }, { result: { ...task("done"), artifacts: 7 } }),
  ]);
  expect(odd!.response.next.body).toMatchObject({ result: { id: "t1", artifacts: 7 } });
  expect(odd!.faults.length).toBeGreaterThan(0);
});

test("free data is not taken for members of the protocol", () => {
  const data = { kind: "data", data: { kind: "task", state: "working", final: true } };
  const sent = call(
    "SendMessage",
    "message/send",
    { message: { ...message, parts: [data] } },
    { result: task("completed") },
  );
  const [translated] = translateAll([sent]);
  expect(changesIn(translated!).map(({ id }) => id)).not.toContain("final");
});

import { expect, test } from "vitest";
import { readNotification } from "./notifications.ts";

const delivery = (body: unknown) => ({
  at: 0,
  method: "POST",
  headers: [],
  body: Buffer.from(JSON.stringify(body)),
  cut: false,
  gone: new AbortController().signal,
});

const on = (dialect: "1.0" | "0.3" | "0.2", binding: "JSONRPC" | "HTTP+JSON" = "JSONRPC") =>
  ({ url: "http://127.0.0.1/", binding, dialect }) as const;

const status = { state: "completed" };
const newStatus = { state: "TASK_STATE_COMPLETED" };

test.each([
  ["a StreamResponse of 1.0", on("1.0"), { statusUpdate: { taskId: "t", status: newStatus } }],
  ["the task of 0.3", on("0.3"), { kind: "task", id: "t", contextId: "c", status }],
  ["the task of 0.2 that does not say that it is one", on("0.2"), { id: "t", contextId: "c", status }],
  ["an event of 0.3", on("0.3"), { kind: "status-update", taskId: "t", contextId: "c", status, final: true }],
  ["the task, whichever binding it was made over", on("0.3", "HTTP+JSON"), { kind: "task", id: "t", status }],
  ["a StreamResponse of 1.0 at an older webhook", on("0.3"), { task: { id: "t", status: newStatus } }],
  ["a StreamResponse of a2a.v1", on("0.3", "HTTP+JSON"), { task: { id: "t", status: newStatus, history: [] } }],
  ["an answer of JSON-RPC", on("0.3"), { jsonrpc: "2.0", id: 1, result: { kind: "task", id: "t", status } }],
])("a notification is understood: %s", (_what, place, body) => {
  const { taskId, state } = readNotification(delivery(body), place);
  expect([taskId, state]).toEqual(["t", "TASK_STATE_COMPLETED"]);
});

test("a notification of before 1.0 may say no more than which task it is about", () => {
  expect(readNotification(delivery({ taskId: "t", news: "done" }), on("0.3")).taskId).toBe("t");
  expect(readNotification(delivery({ taskId: "t", news: "done" }), on("0.3")).state).toBeUndefined();
});

import { type JsonObject, validate } from "@assay/protocol";
import { expect, test } from "vitest";
import { requestOf } from "./operations.ts";

function written(
  operation: Parameters<typeof requestOf>[0],
  params: JsonObject,
): { request: JsonObject; rules: string[] } {
  const rules: string[] = [];
  return { request: requestOf(operation, params, (rule) => rules.push(rule)), rules };
}

const message = { role: "ROLE_USER", parts: [{ text: "hello" }] };

test("a message without an id gets a fresh one, and one with an id keeps it", () => {
  const ids = [1, 2].map(() => (written("send_message", { message }).request["message"] as JsonObject)["messageId"]);
  expect(new Set(ids).size).toBe(2);
  const kept = written("send_message", { message: { ...message, messageId: "mine" } });
  expect(kept).toMatchObject({ request: { message: { messageId: "mine" } }, rules: [] });
});

test("ids beside the message go where the protocol has them, by a rule", () => {
  const { request, rules } = written("send_streaming_message", { taskId: "t", contextId: "c", message });
  expect(request).toMatchObject({ message: { taskId: "t", contextId: "c" } });
  expect(request).not.toHaveProperty("taskId");
  expect(rules).toEqual(["ids-beside-the-message"]);
  expect(validate("SendMessageRequest", request)).toEqual([]);
});

test("a file is written as the protocol writes files", () => {
  const file = { raw: "eA==", name: "x.txt", mediaType: "text/plain" };
  const { request, rules } = written("send_message", { message: { ...message, parts: [{ file }] } });
  expect(request).toMatchObject({ message: { parts: [{ raw: "eA==", filename: "x.txt", mediaType: "text/plain" }] } });
  expect(rules).toEqual(["file-parts"]);
});

test("a media type among the metadata is said as the part's own too", () => {
  const part = { data: {}, metadata: { contentType: "application/x-odd" } };
  const { request, rules } = written("send_message", { message: { ...message, parts: [part] } });
  expect(request).toMatchObject({ message: { parts: [{ ...part, mediaType: "application/x-odd" }] } });
  expect(rules).toEqual(["content-type-in-metadata"]);
});

test.each([
  ["list_tasks", { cursor: "x", pageSize: 2 }, { pageToken: "x", pageSize: 2 }],
  [
    "create_push_config",
    { taskId: "t", pushNotificationConfig: { url: "http://a" } },
    { taskId: "t", url: "http://a" },
  ],
  ["get_push_config", { taskId: "t", configId: "c" }, { taskId: "t", id: "c" }],
  ["delete_push_config", { taskId: "t", id: "c" }, { taskId: "t", id: "c" }],
  ["get_task", { id: "t", historyLength: 0 }, { id: "t", historyLength: 0 }],
] as const)("%s in the words of the protocol", (operation, params, expected) => {
  expect(written(operation, params)).toEqual({ request: expected, rules: [] });
});

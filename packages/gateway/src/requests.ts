import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { HeaderPairs, RequestSpec } from "@assay/wire";

/** The bindings that are plain HTTP. */
export const testedBindings = ["JSONRPC", "HTTP+JSON"] as const;
export type TestedBinding = (typeof testedBindings)[number];

/** A binding in a report: the tested ones and gRPC, which has properties of its own. */
export type ReportedBinding = TestedBinding | "GRPC";

/** Versions of A2A, newest first. */
export const testedVersions = ["1.0", "0.3"] as const;
export type TestedVersion = (typeof testedVersions)[number];

const olderMethods = {
  GetTask: "tasks/get",
  SendMessage: "message/send",
  SendStreamingMessage: "message/stream",
  CreateTaskPushNotificationConfig: "tasks/pushNotificationConfig/set",
};
type Asked = keyof typeof olderMethods;

const paths: Readonly<Record<Asked, (params: JsonObject) => string>> = {
  GetTask: ({ id }) => `/tasks/${String(id)}`,
  SendMessage: () => "/message:send",
  SendStreamingMessage: () => "/message:stream",
  CreateTaskPushNotificationConfig: ({ taskId }) => `/tasks/${String(taskId)}/pushNotificationConfigs`,
};

/** Writes a request. Further headers come last. */
export function requestOf(
  through: string,
  binding: TestedBinding,
  operation: Asked,
  params: JsonObject,
  more: HeaderPairs = [],
  version: TestedVersion = "1.0",
): RequestSpec {
  const isOlder = version === "0.3";
  const type = typeOf(binding, version);
  const headers: HeaderPairs = [
    ["Accept", operation === "SendStreamingMessage" ? "text/event-stream" : type],
    ...(isOlder ? [] : [["A2A-Version", version] as const]),
    ...more,
  ];
  if (binding === "JSONRPC") {
    const method = isOlder ? olderMethods[operation] : operation;
    return {
      method: "POST",
      url: through,
      headers: [["Content-Type", type], ...headers],
      body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params })),
    };
  }
  const url = `${through}${isOlder ? "/v1" : ""}${paths[operation](params)}`;
  if (operation === "GetTask") return { method: "GET", url, headers };
  return {
    method: "POST",
    url,
    headers: [["Content-Type", type], ...headers],
    body: Buffer.from(JSON.stringify(params)),
  };
}

/** A request that makes no agent work. */
export const unknownTask = (
  through: string,
  binding: TestedBinding,
  more?: HeaderPairs,
  version?: TestedVersion,
): RequestSpec => requestOf(through, binding, "GetTask", { id: randomUUID() }, more, version);

/** A message for the skill of the test bed that its text names. */
export const messageOf = (text: string, metadata?: JsonObject): JsonObject => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...(metadata && { metadata }) },
});

/** The same message in 0.3, whose HTTP+JSON follows its .proto. */
export const olderMessageOf = (binding: TestedBinding, text: string, metadata?: JsonObject): JsonObject => {
  const messageId = randomUUID();
  const content =
    binding === "JSONRPC"
      ? { kind: "message", messageId, role: "user", parts: [{ kind: "text", text }] }
      : { messageId, role: "ROLE_USER", content: [{ text }] };
  return { message: { ...content, ...(metadata && { metadata }) } };
};

/** Returns the JSON-RPC id of a request as JSON text. The gateway may have replaced the client's. */
export const idOf = (body: Uint8Array): string =>
  JSON.stringify((jsonIn(Buffer.from(body).toString()) as { id?: unknown } | undefined)?.id ?? null);

/** Returns the content type of a binding. */
export const typeOf = (binding: TestedBinding, version: TestedVersion = "1.0"): string =>
  binding === "JSONRPC" || version === "0.3" ? "application/json" : "application/a2a+json";

/** Wraps a result, which is JSON text, as the binding writes it. */
export const resultText = (binding: TestedBinding, id: string, result: string): string =>
  binding === "JSONRPC" ? `{"jsonrpc":"2.0","id":${id},"result":${result}}` : result;

import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { HeaderPairs, RequestSpec } from "@assay/wire";

/** The bindings that are plain HTTP. */
export const testedBindings = ["JSONRPC", "HTTP+JSON"] as const;
export type TestedBinding = (typeof testedBindings)[number];

type Asked = "GetTask" | "SendMessage" | "SendStreamingMessage";

const paths = { SendMessage: "/message:send", SendStreamingMessage: "/message:stream" };

/** Writes a request of A2A 1.0. Further headers come last. */
export function requestOf(
  through: string,
  binding: TestedBinding,
  operation: Asked,
  params: JsonObject,
  more: HeaderPairs = [],
): RequestSpec {
  const isStream = operation === "SendStreamingMessage";
  const headers: HeaderPairs = [
    ["Accept", isStream ? "text/event-stream" : binding === "JSONRPC" ? "application/json" : "application/a2a+json"],
    ["A2A-Version", "1.0"],
    ...more,
  ];
  if (binding === "JSONRPC")
    return {
      method: "POST",
      url: through,
      headers: [["Content-Type", "application/json"], ...headers],
      body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: operation, params })),
    };
  if (operation === "GetTask") return { method: "GET", url: `${through}/tasks/${String(params["id"])}`, headers };
  return {
    method: "POST",
    url: `${through}${paths[operation]}`,
    headers: [["Content-Type", "application/a2a+json"], ...headers],
    body: Buffer.from(JSON.stringify(params)),
  };
}

/** A request that makes no agent work. */
export const unknownTask = (through: string, binding: TestedBinding, more?: HeaderPairs): RequestSpec =>
  requestOf(through, binding, "GetTask", { id: randomUUID() }, more);

/** A message for the skill of the test bed that its text names. */
export const messageOf = (text: string, metadata?: JsonObject): JsonObject => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...(metadata && { metadata }) },
});

/** Returns the JSON-RPC id of a request as JSON text. The gateway may have replaced the client's. */
export const idOf = (body: Uint8Array): string =>
  JSON.stringify((jsonIn(Buffer.from(body).toString()) as { id?: unknown } | undefined)?.id ?? null);

/** Returns the content type of responses on a binding. */
export const typeOf = (binding: TestedBinding): string =>
  binding === "JSONRPC" ? "application/json" : "application/a2a+json";

/** Wraps a result, which is JSON text, as the binding writes it. */
export const resultText = (binding: TestedBinding, id: string, result: string): string =>
  binding === "JSONRPC" ? `{"jsonrpc":"2.0","id":${id},"result":${result}}` : result;

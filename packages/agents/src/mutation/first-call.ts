import { isObject, type JsonValue, jsonIn } from "@assay/protocol";
import type { Handler, WireReply } from "@assay/wire/server";

/** Answers the first JSON-RPC call of a method instead of the agent, and remembers that it did. */
export function onFirstCall(
  method: string,
  act: (id: JsonValue, reply: WireReply) => void,
): (serve: Handler) => Handler {
  let happened = false;
  return (serve) => async (request, reply) => {
    if (happened || request.method !== "POST") return serve(request, reply);
    const call = jsonIn(String(await request.body().catch(() => "")));
    if (happened || !isObject(call) || call["method"] !== method || call["jsonrpc"] === undefined)
      return serve(request, reply);
    happened = true;
    // Parsed JSON contains only JSON values.
    act((call["id"] ?? null) as JsonValue, reply);
  };
}

/** Rejects a call with 429 in the JSON-RPC error format, and says when to retry. */
export const tooMany = (id: unknown, reply: WireReply, retryAfter: string): void =>
  reply.send(
    429,
    { "Content-Type": "application/json", "Retry-After": retryAfter },
    JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "Too many requests. Try again later" } }),
  );

import { jsonObjectIn } from "@assay/protocol";
import type { Handler, WireReply } from "@assay/wire/server";
import type { AgentDefinition } from "../definition/agent.ts";
import { timing } from "../definition/extensions.ts";
import { replyWith } from "./http.ts";
import { postedText } from "./requests.ts";

/** A JSON-RPC method that an extension adds (see the guide on extensions). */
const method = "assay.timing/elapsed";

/**
 * Adds an extension with its own method. With `isOpen`, it bypasses authentication; otherwise only
 * authenticated callers reach it, and others are rejected for any method.
 */
export function withExtensionMethod({ isOpen }: { isOpen: boolean }): Partial<AgentDefinition> {
  const startedAt = Date.now();
  const http =
    (serve: Handler): Handler =>
    async (request, reply) => {
      const call = jsonObjectIn(await postedText(request));
      if (call?.["method"] !== method) return serve(request, reply);
      const answer = (): void => {
        const body = JSON.stringify({
          jsonrpc: "2.0",
          id: call["id"] ?? null,
          result: { elapsedMs: Date.now() - startedAt },
        });
        reply.send(200, { "Content-Type": "application/json" }, body);
      };
      return isOpen ? answer() : serve(request, unlessServed(reply, answer));
    };
  return { extensions: [timing], layers: { http } };
}

/** The agent itself does not know the method: a caller that gets this error was authenticated. */
const unlessServed = (reply: WireReply, answer: () => void): WireReply =>
  replyWith(reply, {
    send: (status, headers, body) => (status === 401 || status === 403 ? reply.send(status, headers, body) : answer()),
  });

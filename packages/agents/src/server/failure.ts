import { A2AError, JsonError } from "@assay/protocol/core";
import { BudgetExceeded, WireError, type WireErrorCode } from "@assay/wire/server";
import type { AgentDefinition } from "../agent.ts";
import { noRoom } from "../engine/refusals.ts";

const fromWire: Partial<Record<WireErrorCode, "PayloadTooLarge" | "RequestTimeout" | "Parse" | "Unavailable">> = {
  "body-too-large": "PayloadTooLarge",
  "body-timeout": "RequestTimeout",
  "body-malformed": "Parse",
  disconnected: "Parse",
  "too-many-streams": "Unavailable",
  "shutting-down": "Unavailable",
};

/** Whatever was thrown, as the protocol error a client may see. What is ours becomes an Internal without details. */
export function asProtocolError(error: unknown, report: (error: unknown) => void): A2AError {
  if (error instanceof A2AError) return error;
  if (error instanceof JsonError) return new A2AError("Parse", `Parse error: ${error.message}`);
  if (error instanceof BudgetExceeded) return noRoom(error);
  if (error instanceof WireError) {
    const kind = fromWire[error.code];
    if (kind) return new A2AError(kind, error.message);
  }
  report(error);
  return new A2AError("Internal", "The agent failed to handle this request");
}

/** The headers that an error adds: how to authenticate (§7.4), when to try again, which methods are possible. */
export function errorHeaders(error: A2AError, agent?: AgentDefinition): Record<string, string> {
  switch (error.kind) {
    case "Unauthenticated":
      return { "WWW-Authenticate": (agent?.access ?? agent?.extended?.access)?.challenge ?? "Bearer" };
    case "TooManyRequests":
    case "Unavailable":
      return { "Retry-After": error.facts["retryAfterSeconds"] ?? "1" };
    case "MethodNotAllowed":
      return { Allow: error.facts["allow"] ?? "" };
    default:
      return {};
  }
}

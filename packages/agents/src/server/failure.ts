import { A2AError, JsonError, type Operation } from "@assay/protocol/core";
import { BudgetExceeded, WireError, type WireErrorCode } from "@assay/wire/server";
import { type Access, bearerIn } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { noRoom, storeAway } from "../engine/refusals.ts";
import { isAway, TaskStranded } from "../store/store.ts";

const fromWire: Partial<Record<WireErrorCode, "PayloadTooLarge" | "RequestTimeout" | "Parse" | "Unavailable">> = {
  "body-too-large": "PayloadTooLarge",
  "body-timeout": "RequestTimeout",
  "body-malformed": "Parse",
  disconnected: "Parse",
  "too-many-streams": "Unavailable",
  "shutting-down": "Unavailable",
};

/** Converts a thrown error to the protocol error for the client. An internal error loses its details. */
export function asProtocolError(error: unknown, report: (error: unknown) => void): A2AError {
  if (error instanceof A2AError) return error;
  if (error instanceof JsonError) return new A2AError("Parse", `Parse error: ${error.message}`);
  if (error instanceof BudgetExceeded) return noRoom(error);
  if (error instanceof TaskStranded) return storeAway();
  if (isAway(error)) {
    report(error);
    return storeAway();
  }
  if (error instanceof WireError) {
    const kind = fromWire[error.code];
    if (kind) return new A2AError(kind, error.message);
  }
  report(error);
  return new A2AError("Internal", "The agent failed to handle this request");
}

/** A rejected request: its agent, its credentials, and its operation if known. */
export interface Refused {
  readonly agent: AgentDefinition;
  readonly authorization: string | undefined;
  readonly operation: Operation | undefined;
}

/** Returns the headers of an error: how to authenticate (§7.4), when to retry, which methods are allowed. */
export function errorHeaders(error: A2AError, refused?: Refused): Record<string, string> {
  switch (error.kind) {
    case "Unauthenticated":
    case "PermissionDenied": {
      const challenge = challengeOf(error.kind, refused);
      return challenge === undefined ? {} : { "WWW-Authenticate": challenge };
    }
    case "TooManyRequests":
    case "Unavailable":
      return { "Retry-After": error.facts["retryAfterSeconds"] ?? "1" };
    case "MethodNotAllowed":
      return { Allow: error.facts["allow"] ?? "" };
    default:
      return {};
  }
}

/**
 * Returns the challenge (RFC 6750 §3). A request without a token gets no error code, and one with an invalid
 * token gets no reason. A valid token without permission gets the missing scope. Other credentials get no
 * hint.
 */
function challengeOf(kind: "Unauthenticated" | "PermissionDenied", refused: Refused | undefined): string | undefined {
  const access = refused?.agent.access ?? refused?.agent.extended?.access;
  const hasToken = bearerIn(refused?.authorization) !== undefined;
  if (kind === "Unauthenticated")
    return hasToken ? withError(access, 'error="invalid_token"') : (access?.challenge ?? "Bearer");
  const scope = refused?.operation && access?.scopeFor?.(refused.operation);
  return hasToken && scope ? withError(access, `error="insufficient_scope", scope="${scope}"`) : undefined;
}

/** Adds the error of a token to the challenge, after the Bearer scheme, which comes first. */
const withError = (access: Access | undefined, error: string): string => {
  const [bearer = "Bearer", ...others] = (access?.challenge ?? "Bearer").split(/, (?=\w+ realm=)/);
  return [bearer.includes("=") ? `${bearer}, ${error}` : `${bearer} ${error}`, ...others].join(", ");
};

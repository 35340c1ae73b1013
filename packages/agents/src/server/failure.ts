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

/** Whatever was thrown, as the protocol error a client may see. What is ours becomes an Internal without details. */
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

/** What was refused: of which agent, to which credentials, and what was to be done as far as that is known. */
export interface Refused {
  readonly agent: AgentDefinition;
  readonly authorization: string | undefined;
  readonly operation: Operation | undefined;
}

/** The headers that an error adds: how to authenticate (§7.4), when to try again, which methods are possible. */
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
 * How to do better (RFC 6750 §3): those who showed no token are not told of errors, and those whose token is bad not what
 * is wrong with it. One that is good but not enough is told what it lacks; other credentials cannot be made better.
 */
function challengeOf(kind: "Unauthenticated" | "PermissionDenied", refused: Refused | undefined): string | undefined {
  const access = refused?.agent.access ?? refused?.agent.extended?.access;
  const hasToken = bearerIn(refused?.authorization) !== undefined;
  if (kind === "Unauthenticated")
    return hasToken ? withError(access, 'error="invalid_token"') : (access?.challenge ?? "Bearer");
  const scope = refused?.operation && access?.scopeFor?.(refused.operation);
  return hasToken && scope ? withError(access, `error="insufficient_scope", scope="${scope}"`) : undefined;
}

/** The challenge, with what a token lacks behind the scheme of tokens, which comes first. */
const withError = (access: Access | undefined, error: string): string => {
  const [bearer = "Bearer", ...others] = (access?.challenge ?? "Bearer").split(/, (?=\w+ realm=)/);
  return [bearer.includes("=") ? `${bearer}, ${error}` : `${bearer} ${error}`, ...others].join(", ");
};

import { type ErrorName, errorTable } from "@assay/protocol";
import { isA2A } from "../../answers/error-names.ts";
import { expectError } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { breach, type Finding, holds } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";

/** Refused for want of permission. JSON-RPC has no number for it, so there any private one will do (AMB-33). */
export function isForbidden(call: Call, { facts }: Pick<Target, "facts">): boolean {
  const error = errorOf(call);
  if (call.exchange.http.response?.status === 403 || error?.grpc?.status === "PERMISSION_DENIED") return true;
  const code = call.on.binding === "JSONRPC" ? error?.code : undefined;
  // The text of 0.1 has numbers for it, which mean something else later.
  if (call.on.dialect === "0.1" && (code === -32007 || code === -32008)) return true;
  return facts.secured && code !== undefined && !(code <= -32001 && code >= -32009) && (code > -32600 || code < -32700);
}

/** `expectError`, and apart from it the right code of JSON-RPC with the reason of another error (AMB-02). */
export function expectNamed(call: Call, name: ErrorName, more: Parameters<typeof expectError>[2]): Finding {
  const error = errorOf(call);
  const { code, reason } = errorTable[name];
  if (call.on.binding === "JSONRPC" && error?.code === code && error.reason !== undefined && error.reason !== reason) {
    return breach("reason-contradicts-code", `${more.what} has the right code, and ${error.reason} as its reason`, {
      saw: describeReply(call),
      want: `reason ${reason}`,
      at: call,
    });
  }
  // Unwrapped or in a form of its own, it is judged by its status; the form is REST-027's.
  if (call.on.binding === "HTTP+JSON" && call.reply.is === "malformed") {
    const status = call.exchange.http.response?.status;
    if (status === errorTable[name].http) return holds();
  }
  // A name of A2A's leaves no doubt which error is meant, so other readings are none.
  return expectError(call, name, isA2A(call) ? { ...more, also: [] } : more);
}

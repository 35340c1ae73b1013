import { type ErrorName, errorTable } from "@assay/protocol";
import { isA2A, isNamed } from "../../answers/error-names.ts";
import { expectError, isInternal, matches, mismatch, wanted } from "../../answers/expect-error.ts";
import { isPromptRefused } from "../../answers/prompt-refusal.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { breach, type Finding, holds, notExamined } from "../../define/finding.ts";
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
    return breach(
      "reason-contradicts-code",
      `${more.what} has the right code, and ${error.reason} as its reason`,
      answerOf(call, `reason ${reason}`),
    );
  }
  // Unwrapped or in a form of its own, it is judged by its status; the form is REST-027's.
  if (call.on.binding === "HTTP+JSON" && call.reply.is === "malformed") {
    const status = call.exchange.http.response?.status;
    if (status === errorTable[name].http) return holds();
  }
  // A name of A2A's leaves no doubt which error is meant, so other readings are none.
  return expectError(call, name, isA2A(call) ? { ...more, also: [] } : more);
}

/**
 * Whether an unknown task was not found. An agent that knows its callers may forbid what is not theirs, there
 * or not (AMB-33); one whose ids look different may say that this is none.
 */
export function expectNotFound(call: Call, what: string, target: Pick<Target, "facts">): Finding {
  if (target.facts.secured && isForbidden(call, target))
    return holds("the agent does not tell its callers whether a task exists");
  if (isPromptRefused(call))
    return notExamined("not-triggered", `the message itself is refused: ${describeReply(call)}`);
  return expectError(call, "TaskNotFound", { what, also: ["InvalidParams"] });
}

/**
 * The same for a message to an unknown task. `sent` is what became of a plain message: where none was taken, nothing tells
 * a refusal of the task from one of the message.
 */
export function expectTaskNotFound(call: Call, what: string, sent: unknown, target: Pick<Target, "facts">): Finding {
  const isOpen = sent === undefined && isNamed(call, "UnsupportedOperation");
  return isOpen ? noMessageTaken(call) : expectNotFound(call, what, target);
}

export const noMessageTaken = (call: Call): Finding =>
  notExamined("not-triggered", `no message of ours was taken, and this one is refused: ${describeReply(call)}`);

/**
 * Whether something was refused that an agent does not do. 1.0 names the error; older texts say that there is one, and
 * servers have chosen each their own (docs/spec/dialects.md §5.2), some the internal one, which is no breakdown then.
 */
export function expectUnsupported(call: Call, what: string): Finding {
  const name = "UnsupportedOperation";
  const error = errorOf(call);
  const details = answerOf(call, wanted(name, call));
  if (isInternal(call)) return breach("refused-as-internal", `${what} is answered with an internal error`, details);
  if (error && !matches(call, name) && !(call.on.dialect === "1.0" && isNotServed(call)))
    return breach("other-reason", `${what} is answered with ${mismatch(call, error, name)}`, details);
  return expectError(call, name, { what });
}

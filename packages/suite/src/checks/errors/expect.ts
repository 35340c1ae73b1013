import { type ErrorName, errorTable } from "@assay/protocol";
import { hasMeaning, isA2A, isNamed } from "../../answers/error-names.ts";
import { expectError, isInternal, matches, mismatch, wanted } from "../../answers/expect-error.ts";
import { isPromptRefused } from "../../answers/prompt-refusal.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { breach, type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";

/** Recognises a refusal for missing permission. JSON-RPC has no number for it, so any private one counts (AMB-33). */
export function isForbidden(call: Call, { facts }: Pick<Target, "facts">): boolean {
  const error = errorOf(call);
  if (call.exchange.http.response?.status === 403 || error?.grpc?.status === "PERMISSION_DENIED") return true;
  const code = call.on.binding === "JSONRPC" ? error?.code : undefined;
  // Version 0.1 has numbers for it that later mean something else.
  if (call.on.dialect === "0.1" && (code === -32007 || code === -32008)) return true;
  return facts.secured && code !== undefined && !hasMeaning(code, facts) && (code > -32600 || code < -32700);
}

/**
 * Checks a refusal as `expectError` does, and also reports a right JSON-RPC code with the reason of another error
 * (AMB-02).
 */
export function expectNamed(call: Call, name: ErrorName, more: Parameters<typeof expectError>[2]): Finding {
  const error = errorOf(call);
  const { code, reason } = errorTable[name];
  if (call.on.binding === "JSONRPC" && error?.code === code && error.reason !== undefined && error.reason !== reason) {
    return breach(
      "reason-contradicts-code",
      `${more.what} returns the right code with the wrong reason ${error.reason}`,
      answerOf(call, `reason ${reason}`),
    );
  }
  // An unwrapped or otherwise malformed error is judged by its status; REST-027 judges the format.
  if (call.on.binding === "HTTP+JSON" && call.reply.is === "malformed") {
    const status = call.exchange.http.response?.status;
    if (status === errorTable[name].http) return holds();
  }
  // An A2A reason identifies the error, so no lenient reading applies.
  return expectError(call, name, isA2A(call) ? { ...more, also: [] } : more);
}

/**
 * Checks that an unknown task was reported as not found. An agent that authenticates its callers may return "forbidden"
 * for any task they do not own (AMB-33). An agent with another id format may call the id invalid.
 */
export function expectNotFound(call: Call, what: string, target: Pick<Target, "facts">): Finding {
  if (target.facts.secured && isForbidden(call, target))
    return holds("the agent does not reveal whether a task exists");
  if (isPromptRefused(call))
    return notExamined("not-triggered", `the agent refuses the message itself: ${describeReply(call)}`);
  return expectError(call, "TaskNotFound", { what, also: ["InvalidParams"] });
}

/**
 * Checks the refusal of a message to an unknown task as `expectNotFound` does. `sent` is the result of a plain message.
 * If the agent accepted none, it may refuse this one for its content, before it looks for the task (AMB-34).
 */
export function expectTaskNotFound(call: Call, what: string, sent: unknown, target: Pick<Target, "facts">): Finding {
  const isOpen = sent === undefined && isOtherError(call, "TaskNotFound");
  return isOpen ? noMessageTaken(call) : expectNotFound(call, what, target);
}

/** Recognises an error that the agent chose instead of the named one. A crash or a missing operation is none. */
export function isOtherError(call: Call, name: ErrorName): boolean {
  if (!errorOf(call) || isInternal(call) || matches(call, name)) return false;
  return isNamed(call, "UnsupportedOperation") || !isNotServed(call);
}

export const noMessageTaken = (call: Call): Finding =>
  notExamined(
    "not-triggered",
    `the agent accepted no message in this run, so it may refuse this one for its content: ${describeReply(call)}`,
  );

/**
 * Checks that an unsupported request was refused. 1.0 names the error; older versions only require one, and servers
 * chose their own (docs/spec/dialects.md §5.2). Some chose the internal error, which is not a crash then.
 */
export function expectUnsupported(call: Call, what: string): Finding {
  const name = "UnsupportedOperation";
  const error = errorOf(call);
  const details = answerOf(call, wanted(name, call));
  if (isInternal(call)) return breach("refused-as-internal", `${what} returns an internal error`, details);
  if (error && !matches(call, name) && !(call.on.dialect === "1.0" && isNotServed(call)))
    return breach("other-reason", `${what} returns ${mismatch(call, error, name)}`, details);
  return expectError(call, name, { what });
}

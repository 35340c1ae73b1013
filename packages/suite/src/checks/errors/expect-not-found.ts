import { isNamed } from "../../answers/error-names.ts";
import { expectError } from "../../answers/expect-error.ts";
import { isPromptRefused } from "../../answers/prompt-refusal.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { isForbidden } from "./names.ts";

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

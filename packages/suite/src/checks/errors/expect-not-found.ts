import type { Call } from "../../call.ts";
import { expectError } from "../../expect-error.ts";
import { type Finding, holds, notExamined } from "../../finding.ts";
import { isPromptRefused } from "../../prompt-refusal.ts";
import { describeReply } from "../../reading.ts";
import type { Target } from "../../target.ts";
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

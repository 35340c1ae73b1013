import { isInternal } from "../answers/expect-error.ts";
import { describeReply, errorOf } from "../answers/reading.ts";
import { isNotServed } from "../answers/served.ts";
import type { Call } from "../define/call.ts";
import { type Finding, notExamined } from "../define/finding.ts";
import { heldUp, type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";

/** Stays true even if a stream shows a task later. */
const answered = "the agent answered SendMessage with a message, not with a task";

const enabledBy = (kind: PromptKind): string => `prompts.${kind} in assay.yaml`;

/** Names a prompt as the way out, because another one may create a task. */
export const noTask = (kind: PromptKind = "task"): Obstacle => skipped("prompt", answered, enabledBy(kind));

/** Returns the same as a finding. */
export const noTaskSent = (): Finding => notExamined("prompt", answered, enabledBy("task"));

/** Returns the finding for the end of a run, when it is known if a stream has shown a task. */
export const noTaskInRun = (hasStreamed: boolean): Finding =>
  notExamined(
    "prompt",
    `the agent created no task ${hasStreamed ? "outside streams" : "in this run"}`,
    enabledBy("task"),
  );

/**
 * Returns the obstacle if a message or stream was not answered as `rule` requires. An error says nothing about the
 * form of a success, so the rule is not examined, unless the operation is missing or the agent crashed.
 */
export function unanswered(rule: "SEND-001" | "STREAM-001", call: Call, because: string, want: string): Obstacle {
  const saw = describeReply(call);
  if (isNotServed(call))
    return heldUp(rule, `the agent does not serve ${call.operation}`, call, {
      saw,
      want,
      code: "operation-not-served",
    });
  if (isInternal(call)) return heldUp(rule, because, call, { saw, want, code: "crashed" });
  if (errorOf(call)) return messageRefused(call);
  return heldUp(rule, because, call, { saw, want });
}

export const messageRefused = (call: Call): Obstacle =>
  skipped(
    "prompt",
    `the agent rejects the message: ${describeReply(call)}`,
    "prompts.task in assay.yaml: a message that it accepts",
  );

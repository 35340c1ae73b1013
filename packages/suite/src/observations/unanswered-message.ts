import { isInternal } from "../answers/expect-error.ts";
import { describeReply, errorOf } from "../answers/reading.ts";
import { isNotServed } from "../answers/served.ts";
import type { Call } from "../define/call.ts";
import { heldUp, type Obstacle, skipped } from "../define/obstacle.ts";

/**
 * What stands in the way where a message, or a stream, was not answered as `rule` wants it. An error is an answer: it shows
 * nothing about the form of a success, so the rule is not examined, unless the operation is missing or the agent broke down.
 */
export function unanswered(rule: "SEND-001" | "STREAM-001", call: Call, because: string, want: string): Obstacle {
  const saw = describeReply(call);
  if (isNotServed(call))
    return heldUp(rule, `${call.operation} is not served`, call, { saw, want, code: "operation-not-served" });
  if (isInternal(call)) return heldUp(rule, because, call, { saw, want, code: "crashed" });
  if (errorOf(call)) return messageRefused(call);
  return heldUp(rule, because, call, { saw, want });
}

export const messageRefused = (call: Call): Obstacle =>
  skipped(
    "prompt",
    `the agent refuses our message: ${describeReply(call)}`,
    "prompts.task in assay.yaml: a message that it takes",
  );

import { errorTable } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import { isSend } from "./operations-of.ts";
import { describeReply, errorOf, isForbidden } from "./reading.ts";

/**
 * Whether a message was refused for what it says, or for who says it: its media type, a right, a price. That is an
 * answer, and no fault of the agent's; how the operation works can be seen with a message that it takes.
 */
export const isPromptRefused = (call: Call): boolean => isUnread(call) || isCallerRefused(call);

/** Whichever message it had been. */
export const isCallerRefused = (call: Call): boolean => isSend(call.operation) && (isForbidden(call) || isUnpaid(call));

/** By its name: its statuses are those of other errors as well. */
function isUnread(call: Call): boolean {
  const { code, reason } = errorTable.ContentTypeNotSupported;
  const error = errorOf(call);
  const isNamed = error?.reason === reason || (call.on.binding === "JSONRPC" && error?.code === code);
  return isNamed && isSend(call.operation);
}

const isUnpaid = ({ exchange }: Call): boolean => exchange.http.response?.status === 402;

/** Turned away by a cashier, who does not speak the binding: the agent has not answered at all. */
export const isAtTheDoor = (call: Call): boolean => isUnpaid(call) && call.reply.is === "malformed";

/** What the operator can do about it. */
export function promptRefused(call: Call, kind: PromptKind = "task"): Obstacle {
  const saw = describeReply(call);
  if (isUnpaid(call)) {
    const because = "the agent wants to be paid for its answers (HTTP 402)";
    return skipped("credentials", because, "principals.default in assay.yaml: an account that has paid");
  }
  if (isForbidden(call)) {
    const others = `principals.default in assay.yaml: an account that may ask; or another prompts.${kind}`;
    return skipped("credentials", `the agent does not take the message from us (${saw})`, others);
  }
  const parts = `prompts.${kind}: { parts: [{ data: { … } }] } in assay.yaml`;
  return skipped("prompt", `the agent does not read messages such as ours (${saw})`, parts);
}

import { errorTable } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import { isSend } from "./operations-of.ts";
import { describeReply, errorOf, isForbidden } from "./reading.ts";

/**
 * Recognises a message that was refused for its content or its sender: media type, permission, payment. That is a valid
 * response. A message that the agent accepts shows how the operation works.
 */
export const isPromptRefused = (call: Call): boolean => isUnread(call) || isCallerRefused(call);

/** Recognises a refusal that no other message would avoid. */
export const isCallerRefused = (call: Call): boolean => isSend(call.operation) && (isForbidden(call) || isUnpaid(call));

/** Goes by the error's name, because other errors share its status. */
function isUnread(call: Call): boolean {
  const { code, reason } = errorTable.ContentTypeNotSupported;
  const error = errorOf(call);
  const isNamed = error?.reason === reason || (call.on.binding === "JSONRPC" && error?.code === code);
  return isNamed && isSend(call.operation);
}

const isUnpaid = ({ exchange }: Call): boolean => exchange.http.response?.status === 402;

/** Recognises a payment gateway that does not speak the binding: the agent itself has not responded. */
export const isAtTheDoor = (call: Call): boolean => isUnpaid(call) && call.reply.is === "malformed";

/** Returns the obstacle for a refused prompt, with the setting that gets past the refusal. */
export function promptRefused(call: Call, kind: PromptKind = "task"): Obstacle {
  const saw = describeReply(call);
  if (isUnpaid(call)) {
    const because = "the agent requires payment (HTTP 402)";
    return skipped("credentials", because, "principals.default in assay.yaml: an account with payment set up");
  }
  if (isForbidden(call)) {
    const others = `principals.default in assay.yaml: an account with permission to send messages; or another prompts.${kind}`;
    return skipped("credentials", `the agent does not accept messages from this account (${saw})`, others);
  }
  const parts = `prompts.${kind}: { parts: [{ data: { … } }] } in assay.yaml`;
  return skipped("prompt", `the agent does not accept messages of this type (${saw})`, parts);
}

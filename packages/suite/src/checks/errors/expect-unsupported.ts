import type { Call } from "../../call.ts";
import { expectError, isInternal } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, odd } from "../../finding.ts";
import { describeReply, errorOf } from "../../reading.ts";

/**
 * Whether something was refused that an agent does not do. 1.0 names the error; older texts say that there is one, and
 * servers have chosen each their own (docs/spec/dialects.md §5.2), some the internal one: that is odd, and no breakdown.
 */
export function expectUnsupported(call: Call, what: string): Finding {
  if (call.on.dialect === "1.0") return expectError(call, "UnsupportedOperation", { what });
  const details = { saw: describeReply(call), want: "an error", at: call };
  if (isInternal(call)) return odd(`${what} is answered with an internal error`, details);
  if (errorOf(call)) return holds();
  if (call.reply.is === "failure") return crashed(`${what} got no answer`, details);
  if (call.reply.is === "malformed") return broken(`${what} is answered with no error of the binding`, details);
  return broken(`${what} is answered as if nothing were wrong`, details);
}

import { expectError, isInternal, matches, mismatch, wanted } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { breach, type Finding } from "../../define/finding.ts";

/**
 * Whether something was refused that an agent does not do. 1.0 names the error; older texts say that there is one, and
 * servers have chosen each their own (docs/spec/dialects.md §5.2), some the internal one, which is no breakdown then.
 */
export function expectUnsupported(call: Call, what: string): Finding {
  const name = "UnsupportedOperation";
  const error = errorOf(call);
  const details = { saw: describeReply(call), want: wanted(name, call), at: call };
  if (isInternal(call)) return breach("refused-as-internal", `${what} is answered with an internal error`, details);
  if (error && !matches(call, name) && !(call.on.dialect === "1.0" && isNotServed(call)))
    return breach("other-reason", `${what} is answered with ${mismatch(call, error, name)}`, details);
  return expectError(call, name, { what });
}

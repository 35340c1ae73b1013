import type { Operation } from "@assay/protocol";
import { isUnknown } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";

/**
 * Before 1.0 an operation of push notifications may be missing on a binding, which is for the rules about what it
 * offers. `asked` are the calls beside it.
 */
export const isNotOffered = (
  call: Call,
  asked: readonly { readonly operation: Operation; readonly call: Call }[] = [],
): boolean =>
  call.on.dialect !== "1.0" && call.operation !== undefined && isUnknown({ operation: call.operation, call }, asked);

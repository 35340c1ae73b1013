import { matches } from "../../answers/expect-error.ts";
import { errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/** An error that speaks of the state a task is in. Over HTTP+JSON the number alone stands for many others. */
export function tellsState(call: Call): boolean {
  const reason = errorOf(call)?.reason;
  return (["TaskNotCancelable", "UnsupportedOperation"] as const).some((name) =>
    reason === undefined && call.on.binding === "HTTP+JSON" ? false : matches(call, name),
  );
}

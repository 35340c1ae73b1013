import { matches } from "../../expect-error.ts";
import { errorOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";

/** An error that speaks of the state a task is in. Over HTTP+JSON the number alone stands for many others. */
export function tellsState(talk: Talk): boolean {
  const reason = errorOf(talk)?.reason;
  return (["TaskNotCancelable", "UnsupportedOperation"] as const).some((name) =>
    reason === undefined && talk.on.binding === "HTTP+JSON" ? false : matches(talk, name),
  );
}

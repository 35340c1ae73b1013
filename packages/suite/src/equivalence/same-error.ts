import { matches } from "../answers/expect-error.ts";
import { errorOf, isEnded, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";

export type ComparedError = "TaskNotFound" | "TaskNotCancelable";

/**
 * Returns true if a response is this error; undefined if it is not an error. In 0.1, CancelTask may return an ended
 * task as it is.
 */
export function isError(call: Call, name: ComparedError): boolean | undefined {
  if (call.on.dialect === "0.1" && name === "TaskNotCancelable" && isEnded(taskIn(call)?.state)) return true;
  return errorOf(call) ? matches(call, name) !== undefined : undefined;
}

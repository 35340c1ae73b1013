import type { JsonObject } from "@assay/protocol";
import { isInternal } from "../answers/expect-error.ts";
import { errorOf } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { skipped } from "../define/obstacle.ts";
import type { How, Target } from "../define/target.ts";
import { sendParams } from "./sending.ts";
import { type SentCalls, sentCall } from "./sent-calls.ts";
import type { RefusedCall } from "./unknown-task.ts";

/**
 * Sends a message to a task that does not exist. An agent reads a request before it looks for the task, so this shows
 * what the agent can read without making it work.
 */
export function sendToUnknownTask(
  target: Target,
  message: JsonObject,
  more: JsonObject = {},
  how: How = {},
): Promise<Call> {
  const { message: plain } = sendParams(target, { taskId: target.unknownId() });
  const params = { message: { ...plain, ...message }, ...more };
  return target.call("SendMessage", params, { refusable: true, timeout: Math.max(target.grace, 10_000), ...how });
}

/** Returns the rejection of the plain message. An agent that accepts it would work on all the others. */
export function refusalOfUnknownTask(asked: SentCalls<RefusedCall>): Call {
  const control = sentCall(asked, ({ operation }) => operation === "SendMessage")?.call;
  if (!control || !errorOf(control))
    throw skipped("not-triggered", "the agent accepts a message to a task that does not exist");
  if (failsForUnknownTask(asked)) throw skipped("not-triggered", hiddenByFailure);
  return control;
}

/** Explains why an internal error shows nothing about the rest of a message. CTX-008 judges that error. */
export const hiddenByFailure = "every message to a task that does not exist causes an internal error (CTX-008)";

/** Returns true if the plain message to an unknown task causes an internal error. */
export const failsForUnknownTask = (asked: readonly RefusedCall[] = []): boolean =>
  asked.some(({ operation, call }) => operation === "SendMessage" && isInternal(call));

/** Returns true if two calls were rejected for the same reason, as the binding names it. */
export function isSameError(one: Call, other: Call): boolean {
  const [a, b] = [errorOf(one), errorOf(other)];
  if (!a || !b) return false;
  return (
    a.code === b.code &&
    a.grpc?.code === b.grpc?.code &&
    a.reason === b.reason &&
    (a.code !== undefined || a.http === b.http)
  );
}

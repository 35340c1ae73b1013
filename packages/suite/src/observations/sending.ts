import type { JsonObject, Message } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { How, Target } from "../define/target.ts";

/** Returns the parameters of a message, to be changed or sent in another way than by `Target.send`. */
export const sendParams = (target: Target, more: Partial<Message> = {}, kind: PromptKind = "task") => ({
  // Messages of Assay are JSON.
  message: target.message(kind, more) as unknown as JsonObject,
});

/** Sends a message that a conforming agent rejects without work. */
export const sendInVain = (target: Target, more: Partial<Message> = {}, how: How = {}): Promise<Call> =>
  target.call("SendMessage", sendParams(target, more), { refusable: true, ...how });

/** Time limit for the rejection of a stream. */
export const slowestRefusalMs = 10_000;

/** Opens a stream that should be rejected, and returns the rejection. */
async function openInVain(target: Target, ...[operation, params, how]: Parameters<Target["open"]>): Promise<Call> {
  const timeout = Math.max(target.grace, slowestRefusalMs);
  const live = await target.open(operation, params, { timeout, ...how });
  const first = await live.peek(timeout);
  return live.rest(first ? target.quiet : 0);
}

export const streamInVain = (target: Target, more: Partial<Message> = {}): Promise<Call> =>
  openInVain(target, "SendStreamingMessage", sendParams(target, more), { refusable: true });

export const subscribeInVain = (target: Target, params: { readonly id?: string }): Promise<Call> =>
  openInVain(target, "SubscribeToTask", { ...params });

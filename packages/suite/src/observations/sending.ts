import type { JsonObject, Message } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { How, Target } from "../define/target.ts";

/** The parameters of a send, to be changed or sent in another way than `Target.send` does. */
export const sendParams = (target: Target, more: Partial<Message> = {}, kind: PromptKind = "task") => ({
  // A message of ours is JSON.
  message: target.message(kind, more) as unknown as JsonObject,
});

/** A message that a conforming agent refuses, so that there is no work in it. */
export const sendInVain = (target: Target, more: Partial<Message> = {}, how: How = {}): Promise<Call> =>
  target.call("SendMessage", sendParams(target, more), { refusable: true, ...how });

/** How long a stream that is to be refused may take to be. */
export const slowestRefusalMs = 10_000;

/** A stream that is to be refused: how it was. */
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

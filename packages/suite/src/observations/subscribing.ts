import type { Call } from "../define/call.ts";
import type { LiveStream } from "../define/live-stream.ts";
import type { How, Target } from "../define/target.ts";

/** A subscription that was opened, or how it was refused. By which verb one subscribes is for the target to know (AMB-04). */
export async function openSubscription(
  target: Target,
  id: string,
  how: How = {},
): Promise<
  { readonly live: LiveStream; readonly refused?: never } | { readonly refused: Call; readonly live?: never }
> {
  const live = await target.open("SubscribeToTask", { id }, how);
  const first = await live.peek(0);
  if (first === undefined || first.is === "result") return { live };
  return { refused: await live.hangUp() };
}

/** A subscription to a task that waits for input: how it opens, or how it was refused. */
export async function triedSubscription(target: Target, id: string): Promise<Call> {
  const tried = await openSubscription(target, id);
  if (tried.refused) return tried.refused;
  await tried.live.peek(target.grace);
  return tried.live.rest(0);
}

/** However short the grace time: a refusal may come a few bytes at a time. */
export const slowestRefusalMs = 10_000;

/** SubscribeToTask where it is to be refused: how it was. */
export async function subscribeToBeRefused(target: Target, params: { readonly id?: string }): Promise<Call> {
  const timeout = Math.max(target.grace, slowestRefusalMs);
  const live = await target.open("SubscribeToTask", { ...params }, { timeout });
  const first = await live.peek(timeout);
  return live.rest(first ? target.quiet : 0);
}

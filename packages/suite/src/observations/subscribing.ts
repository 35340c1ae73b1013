import type { How, Lab } from "../lab.ts";
import type { LiveStream } from "../live-stream.ts";
import type { Talk } from "../talk.ts";

/** A subscription that was opened, or how it was refused. By which verb one subscribes is for the lab to know (AMB-04). */
export async function openSubscription(
  lab: Lab,
  id: string,
  how: How = {},
): Promise<
  { readonly live: LiveStream; readonly refused?: never } | { readonly refused: Talk; readonly live?: never }
> {
  const live = await lab.open("SubscribeToTask", { id }, how);
  const first = await live.peek(0);
  if (first === undefined || first.is === "result") return { live };
  return { refused: await live.hangUp() };
}

/** A subscription to a task that waits for somebody: how it opens, or how it was refused. */
export async function triedSubscription(lab: Lab, id: string): Promise<Talk> {
  const tried = await openSubscription(lab, id);
  if (tried.refused) return tried.refused;
  await tried.live.peek(lab.grace);
  return tried.live.rest(0);
}

/** However short the grace time: a refusal may come a few bytes at a time. */
export const slowestRefusalMs = 10_000;

/** SubscribeToTask where it is to be refused: how it was. */
export async function subscribeInVain(lab: Lab, params: { readonly id?: string }): Promise<Talk> {
  const timeout = Math.max(lab.grace, slowestRefusalMs);
  const live = await lab.open("SubscribeToTask", { ...params }, { timeout });
  const first = await live.peek(timeout);
  return live.rest(first ? lab.quiet : 0);
}

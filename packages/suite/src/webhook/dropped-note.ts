import type { WebhookReceiver } from "./receiver.ts";

const floodedText =
  "A flood of requests closed the webhook receiver: rules about later notifications are not examined.";

/** Describes the notifications that the receiver dropped; undefined if it kept everything. */
export function droppedNote({ dropped, isFlooded }: WebhookReceiver): string | undefined {
  if (dropped.notifications + dropped.bodies === 0 && !isFlooded) return undefined;
  const lost = [
    ...(dropped.notifications ? [counted(dropped.notifications, "notification")] : []),
    ...(dropped.bodies ? [`the body of ${counted(dropped.bodies, "more notification")}`] : []),
  ];
  return [
    ...(lost.length ? [`The webhook receiver dropped ${lost.join(" and ")}: more came than it keeps.`] : []),
    ...(isFlooded ? [floodedText] : []),
  ].join(" ");
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

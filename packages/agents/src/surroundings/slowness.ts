import { asksFor, delivered, silence, when } from "./conducts.ts";
import { insteadOfAnswer, lateBehindHead, later, streams, thought } from "./deliveries.ts";
import type { Surrounding } from "./surrounding.ts";

/** Agents that think, and one that thinks for ever. No time is promised anywhere in A2A. */
export const slowness: readonly Surrounding[] = [
  {
    id: "late-answer",
    what: "Every message is thought about for 3 s before the answer, or the stream, begins.",
    does: () => when(asksFor("send", "stream"), delivered(thought(later(3_000)))),
  },
  {
    id: "late-first-event",
    what: "A stream opens at once, and its first event comes after 12 s: as late as the answer to a message may be.",
    does: () => when(asksFor("stream"), delivered(streams(lateBehindHead(12_000)))),
  },
  {
    id: "never-answers",
    what: "Messages are taken and never answered; everything else is.",
    does: () => when(asksFor("send", "stream"), delivered(thought(insteadOfAnswer(silence)))),
  },
];

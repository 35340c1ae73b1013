import { asksFor, delivered, silence, when } from "./conducts.ts";
import { insteadOfAnswer, lateBehindHead, later, streams, thought } from "./deliveries.ts";
import type { Surrounding } from "./surrounding.ts";

/** Slow agents, and one that never answers. A2A promises no response times. */
export const slowness: readonly Surrounding[] = [
  {
    id: "late-answer",
    what: "The agent takes 3 s before it starts to answer a message or its stream.",
    does: () => when(asksFor("send", "stream"), delivered(thought(later(3_000)))),
  },
  {
    id: "late-first-event",
    what: "A stream opens at once, but its first event arrives after 12 s, the limit for an answer to a message.",
    does: () => when(asksFor("stream"), delivered(streams(lateBehindHead(12_000)))),
  },
  {
    id: "never-answers",
    what: "The agent accepts messages and never answers them. It answers everything else.",
    does: () => when(asksFor("send", "stream"), delivered(thought(insteadOfAnswer(silence)))),
  },
];

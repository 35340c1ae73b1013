import { asksFor, delivered, silence, when } from "./conducts.ts";
import { insteadOfAnswer, lateBehindHead, later, streams, thought } from "./deliveries.ts";
import { type Surrounding, surrounding } from "./surrounding.ts";

/** Slow agents, and one that never answers. A2A promises no response times. */
export const slowness: readonly Surrounding[] = [
  surrounding("late-answer", "The agent takes 3 s before it starts to answer a message or its stream.", () =>
    when(asksFor("send", "stream"), delivered(thought(later(3_000)))),
  ),
  surrounding(
    "late-first-event",
    "A stream opens at once, but its first event arrives after 12 s, the limit for an answer to a message.",
    () => when(asksFor("stream"), delivered(streams(lateBehindHead(12_000)))),
  ),
  surrounding("never-answers", "The agent accepts messages and never answers them. It answers everything else.", () =>
    when(asksFor("send", "stream"), delivered(thought(insteadOfAnswer(silence)))),
  ),
];

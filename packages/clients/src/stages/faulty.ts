import { artifact, status } from "@assay/agents/making";
import type { Stage } from "../stage.ts";
import { answerOf, by, doing, making, saying } from "./agents.ts";

/** Situations about faults on the way to the agent. */
export const faultyStages = {
  "lost-response": {
    ...by(making(answerOf("lost-response"))),
    faults: ["reset@SendMessage+SendStreamingMessage:1x"],
  },
  // Longer than a common timeout of clients, and shorter than the time limit of a situation.
  "late-response": {
    ...by(making(answerOf("late-response"))),
    faults: ["latency=6s@SendMessage+SendStreamingMessage:1x"],
  },
  "rate-limited": {
    ...by(saying(answerOf("rate-limited"))),
    faults: ["rate-limit=1s@SendMessage+SendStreamingMessage:1x"],
  },
  "no-second-stream": {
    ...by(
      doing(async function* ({ clock, signal }) {
        yield status("working", "half of it is done");
        await clock.sleep(3_000, signal);
        yield artifact("word", answerOf("no-second-stream"), { last: true });
        yield status("completed");
      }),
    ),
    faults: ["cut=2@SendStreamingMessage:1x", "status=503@SubscribeToTask"],
  },
} as const satisfies Record<string, Stage>;

import { observation } from "../observation.ts";
import { concernsNobody, skipped } from "../obstacle.ts";
import { describeReply, eventsOf, type LooseEvent, looseEvent } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { isSilent, streamed } from "./streamed.ts";

/** A stream that opens with a message instead of a task. */
export interface DirectStream {
  readonly talk: Talk;
  readonly events: readonly LooseEvent[];
  /** the agent closed it; otherwise it stayed open for the whole grace time */
  readonly closed: boolean;
}

export const directStream = observation<DirectStream>({
  name: "a stream of a direct answer",
  messages: 1,
  rank: 6,
  uses: [streamed],
  async make(lab) {
    const before = await lab.observe(streamed);
    if (before.events[0]?.is === "message") return before;
    if (!lab.hasPrompt("message"))
      throw skipped("prompt", "no message is known that is answered without a task", "prompts.message in assay.yaml");
    const live = await lab.stream("message");
    const first = await live.until(() => true, lab.taskTimeout);
    const event = first && looseEvent(first);
    if (event?.is !== "message") {
      const talk = await live.hangUp();
      if (event) throw concernsNobody("the agent answered with a task");
      throw skipped("unstable", `the message was not taken: ${describeReply(talk)}`);
    }
    const talk = await live.rest(lab.grace);
    return { talk, events: eventsOf(talk), closed: live.ended && !isSilent(talk) };
  },
});

import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { describeReply, eventsOf, isAtRest, type LooseEvent, looseEvent } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** A stream asked for with `returnImmediately` and without history. */
export interface Hurried {
  readonly talk: Talk;
  readonly events: readonly LooseEvent[];
  /** the agent closed it */
  readonly closed: boolean;
}

export const hurried = observation<Hurried>({
  name: "a stream that is not to be waited for",
  messages: 1,
  prompts: ["stream"],
  rank: 6,
  async make(lab) {
    const configuration = { returnImmediately: true, historyLength: 0 };
    const live = await lab.stream("stream", { configuration });
    await live.until((frame) => {
      const event = looseEvent(frame);
      return event?.is === "message" || isAtRest(event?.state);
    }, lab.taskTimeout);
    const closed = live.ended;
    const talk = await live.hangUp();
    const events = eventsOf(talk);
    if (events.length === 0) throw skipped("unstable", `no stream was opened: ${describeReply(talk)}`);
    return { talk, events, closed };
  },
});

import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { eventsOf, isAtRest, isEnded, type LooseTask, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { follow } from "./settled.ts";
import { openSubscription } from "./subscribing.ts";
import { beginSlow, tellsEnd } from "./watched.ts";

/** A slow task of 0.1 whose client hung up in the middle of its stream, and came back. */
export interface LeftAlone {
  readonly id: string;
  /** the stream that was hung up */
  readonly talk: Talk;
  /** tasks/get right behind it */
  readonly got: Talk;
  /** tasks/resubscribe while the task was at work; absent where it was over by then */
  readonly back: Returned | undefined;
  /** the task at the end */
  readonly last: LooseTask | undefined;
}

/** How somebody who came back was received. */
export type Returned =
  | { readonly refused: Talk; readonly stream?: never }
  | {
      readonly refused?: never;
      /** to its end, or as long as was fair to wait */
      readonly stream: Talk;
      /** it has told how the task ended */
      readonly complete: boolean;
    };

const noticeMs = 100;

export const leftAlone = observation<LeftAlone>({
  name: "a stream that its client leaves",
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(lab) {
    const { live, id, state } = await beginSlow(lab);
    if (isAtRest(state) || live.frames.some(tellsEnd))
      throw skipped("prompt", "the slow task was over before anybody could leave", "prompts.slow in assay.yaml");
    const talk = await live.hangUp();
    const first = await lab.call("GetTask", { id });
    // A server notices with some delay that nobody listens any more.
    await lab.sleep(noticeMs);
    const got = taskIn(first) ? await lab.call("GetTask", { id }) : first;
    const back = isAtRest(taskIn(got)?.state) ? undefined : await comeBack();
    const { last } = await follow(lab, { id });
    return { id, talk, got, back, last };

    async function comeBack(): Promise<Returned | undefined> {
      const { live: again, refused } = await openSubscription(lab, id);
      if (refused) {
        // Whoever refuses a task that is over meanwhile is right.
        return isAtRest(taskIn(await lab.call("GetTask", { id }))?.state) ? undefined : { refused };
      }
      await again.until(tellsEnd, lab.taskTimeout);
      const stream = await again.rest(lab.quiet);
      return { stream, complete: eventsOf(stream).some((event) => isEnded(event.state)) };
    }
  },
});

import { eventsOf, isAtRest, isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { follow } from "./sent-message.ts";
import { beginSlow, tellsEnd } from "./several-subscribers.ts";
import { openSubscription } from "./subscribing.ts";

/** A slow task of 0.1 whose client hung up in the middle of its stream, and came back. */
export interface AbandonedStream {
  readonly id: string;
  /** the stream that was hung up */
  readonly call: Call;
  /** tasks/get right behind it */
  readonly got: Call;
  /** tasks/resubscribe while the task was at work; absent where it was over by then */
  readonly back: Returned | undefined;
  /** the task at the end */
  readonly last: LooseTask | undefined;
}

/** How a client that came back was answered. */
export type Returned =
  | { readonly refused: Call; readonly stream?: never }
  | {
      readonly refused?: never;
      /** to its end, or as long as was fair to wait */
      readonly stream: Call;
      /** it has told how the task ended */
      readonly complete: boolean;
    };

const noticeMs = 100;

export const abandonedStream = observation<AbandonedStream>({
  name: "a stream that its client leaves",
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(target) {
    const { live, id, state } = await beginSlow(target);
    if (isAtRest(state) || live.frames.some(tellsEnd))
      throw skipped("prompt", "the slow task was over before its stream could be left", "prompts.slow in assay.yaml");
    const call = await live.hangUp();
    const first = await target.call("GetTask", { id }, { mayBeGone: true });
    // A server notices with some delay that a stream has no reader any more.
    await target.sleep(noticeMs);
    const got = taskIn(first) ? await target.call("GetTask", { id }, { mayBeGone: true }) : first;
    const back = isAtRest(taskIn(got)?.state) ? undefined : await comeBack();
    const { last } = await follow(target, { id });
    return { id, call, got, back, last };

    async function comeBack(): Promise<Returned | undefined> {
      const { live: again, refused } = await openSubscription(target, id);
      if (refused) {
        // To refuse a task that is over meanwhile is right.
        return isAtRest(taskIn(await target.call("GetTask", { id }, { mayBeGone: true }))?.state)
          ? undefined
          : { refused };
      }
      await again.until(tellsEnd, target.taskTimeout);
      const stream = await again.rest(target.quiet);
      return { stream, complete: eventsOf(stream).some((event) => isEnded(event.state)) };
    }
  },
});

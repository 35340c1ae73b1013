import type { Lab, SendMore } from "../lab.ts";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { describeReply, eventsOf, isAtRest, isEnded, looseEvent } from "../reading.ts";
import type { PromptKind } from "../runner/options.ts";
import { isSilent, type Streamed } from "./streamed.ts";

/** A stream asked for with `returnImmediately` and without history. */
interface Hurried extends Streamed {
  /** the stream of a task that was to fail, where we know how; it is the same one, if it has told of the failure */
  readonly failing: Streamed | undefined;
}

export const hurried = observation<Hurried>({
  name: "a stream that is not to be waited for",
  // The second is for those who do not tell of a failure: one that was kept back for trouble.
  messages: 1,
  prompts: ["stream"],
  rank: 6,
  async make(lab) {
    // How the task ends does not matter here, so that it may as well fail: nobody else streams one that does.
    const failing = lab.hasPrompt("failure") ? await hurry(lab, "failure", { fair: false }) : undefined;
    if (failing?.events.some(({ state }) => state === "TASK_STATE_FAILED")) return { ...failing, failing };
    const seen = await hurry(lab, "stream");
    if (seen.events.length === 0) throw skipped("unstable", `no stream was opened: ${describeReply(seen.talk)}`);
    return { ...seen, failing };
  },
});

async function hurry(lab: Lab, kind: PromptKind, more: SendMore = {}): Promise<Streamed> {
  const configuration = { returnImmediately: true, historyLength: 0 };
  const live = await lab.stream(kind, { configuration, ...more });
  const last = await live.until((frame) => {
    const event = looseEvent(frame);
    return event?.is === "message" || isAtRest(event?.state);
  }, lab.taskTimeout);
  const talk = await live.rest(last && isEnded(looseEvent(last)?.state) ? lab.grace : 0);
  const events = eventsOf(talk);
  return {
    talk,
    events,
    taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId,
    closed: live.ended && !isSilent(talk),
  };
}

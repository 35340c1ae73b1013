import { eventsOf, isAtRest, type LooseTask, looseEvent } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { follow } from "./sent-message.ts";

/** A stream that its client closed as soon as it knew the task, and the end of the task. */
export interface LeftStream {
  readonly call: Call;
  readonly got: Call;
  readonly last: LooseTask | undefined;
}

/**
 * Uses any stream that shows a task before it is at rest. Undefined otherwise, and if a slow task with several
 * subscribers shows the same.
 */
export const leftStream = observation<LeftStream | undefined>("a stream that its client closes at once", {
  messages: 1,
  unless: "slow",
  rank: 8,
  async make(target) {
    if (!target.facts.streaming || target.hasPrompt("slow")) return undefined;
    const live = await target.stream("stream");
    await live.until((frame) => looseEvent(frame)?.taskId !== undefined, target.taskTimeout);
    const call = await live.hangUp();
    const events = eventsOf(call);
    const id = events.find(({ taskId }) => taskId !== undefined)?.taskId;
    if (id === undefined || events.some(({ state }) => isAtRest(state))) return undefined;
    return { call, ...(await follow(target, { id })) };
  },
});

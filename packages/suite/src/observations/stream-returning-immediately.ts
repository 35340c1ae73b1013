import { describeReply, eventsOf, isEnded, looseEvent } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import { assertReadable } from "../answers/unreadable-events.ts";
import { isClosed, tellsRest } from "../answers/whole-stream.ts";
import { observation } from "../define/observation.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { SendMore, Target } from "../define/target.ts";
import { closing, type TaskStream, untilCutTwice } from "./task-stream.ts";

/** A stream with `returnImmediately` and without history. */
interface StreamReturningImmediately extends TaskStream {
  /** the stream of a task that should fail, if a prompt is known; the same stream, if it showed the failure */
  readonly failing: TaskStream | undefined;
}

export const streamReturningImmediately = observation<StreamReturningImmediately>("a stream with returnImmediately", {
  // The second, from the reserve, is for agents that do not show a failure.
  messages: 1,
  prompts: ["stream"],
  rank: 6,
  async make(target) {
    // The end of the task does not matter here, so it may fail: no other observation streams a failing task.
    const failing = target.hasPrompt("failure") ? await hurry(target, "failure", { fair: false }) : undefined;
    if (failing?.events.some(({ state }) => state === "TASK_STATE_FAILED")) return { ...failing, failing };
    const seen = await hurry(target, "stream");
    if (seen.events.length === 0) assertReadable(seen.call);
    if (seen.events.length === 0)
      throw skippedFor(seen.call, `the agent opened no stream: ${describeReply(seen.call)}`);
    return { ...seen, failing };
  },
});

const hurry = (target: Target, kind: PromptKind, more: SendMore = {}): Promise<TaskStream> =>
  untilCutTwice(() => hurried(target, kind, more));

async function hurried(target: Target, kind: PromptKind, more: SendMore): Promise<TaskStream> {
  const configuration = { returnImmediately: true, historyLength: 0 };
  const live = await target.stream(kind, { configuration, ...more });
  const last = await live.until(tellsRest, target.taskTimeout);
  const call = last && isEnded(looseEvent(last)?.state) ? await closing(target, live) : await live.rest(0);
  const events = eventsOf(call);
  return {
    call,
    events,
    taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId,
    closed: isClosed(call),
  };
}

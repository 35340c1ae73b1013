import { describeReply, eventsOf, type LooseEvent, looseEvent } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import { assertReadable } from "../answers/unreadable-events.ts";
import { isClosed } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import { closing, taskStream } from "./task-stream.ts";

/** A stream that opens with a message instead of a task. */
export interface DirectStream {
  readonly call: Call;
  readonly events: readonly LooseEvent[];
  /** the agent closed it; otherwise it stayed open for the whole grace time */
  readonly closed: boolean;
}

export const directStream = observation<DirectStream>({
  name: "a stream of a direct answer",
  messages: 1,
  rank: 6,
  uses: [taskStream],
  async make(target) {
    const before = await target.observe(taskStream);
    if (before.events[0]?.is === "message") return before;
    if (!target.hasPrompt("message"))
      throw skipped("prompt", "no message is known that is answered without a task", "prompts.message in assay.yaml");
    const live = await target.stream("message");
    const first = await live.until(() => true, target.taskTimeout);
    const event = first && looseEvent(first);
    if (event?.is !== "message") {
      const call = await live.hangUp();
      if (event) throw doesNotApply("the agent answered with a task");
      assertReadable(call);
      throw skippedFor(call, `the message was not taken: ${describeReply(call)}`);
    }
    const call = await closing(target, live);
    return { call, events: eventsOf(call), closed: isClosed(call) };
  },
});

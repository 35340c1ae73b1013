import type { LooseTask } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { endedTask } from "./ended-task.ts";
import { taskAtRest } from "./sent-message.ts";

/** A task that has ended, and how it stands a while after a client tried to go on with it. */
export interface TaskAfterEnd {
  readonly ended: LooseTask;
  readonly endedAt: Call;
  /** GetTask, more than a second later */
  readonly after: Call;
  /** the client could go on with it */
  readonly reopened: boolean;
}

export const taskAfterEnd = observation<TaskAfterEnd>({
  name: "a task after its end",
  messages: 0,
  uses: [taskAtRest, endedTask],
  async make(target) {
    const { last: ended, got: endedAt } = await target.observe(taskAtRest);
    const { reopened } = await target.observe(endedTask);
    // Long enough for the time of an answer to differ from that of the status, whatever its precision.
    await target.sleep(1_100);
    return { ended, endedAt, reopened, after: await target.call("GetTask", { id: ended.id }, { mayBeGone: true }) };
  },
});

import type { JsonObject } from "@assay/protocol";
import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import { readAgain, taskAtRest } from "./sent-message.ts";

/** A task that ended by itself, and how CancelTask was answered for it. */
interface EndedCancel {
  readonly task: LooseTask;
  readonly canceled: Call;
  /** GetTask after that, before anything else is asked of it */
  readonly got: Call;
}

export const endedCancel = observation<EndedCancel>({
  name: "cancelling an ended task",
  messages: 0,
  // First it is read as it is: even a refused message may leave its mark on a task.
  uses: [taskAtRest, readAgain],
  async make(target) {
    const { last: task } = await target.observe(taskAtRest);
    if (!isEnded(task.state) || task.state === "TASK_STATE_CANCELED")
      throw doesNotApply("the task that was made did not end by itself");
    const canceled = await target.call("CancelTask", { id: task.id });
    return { task, canceled, got: await target.call("GetTask", { id: task.id }, { mayBeGone: true }) };
  },
});

/** What an ended task is asked for and must refuse. Before 0.2 a message opens it again, and is no matter of refusal. */
interface EndedTask extends EndedCancel {
  readonly addressed: Call;
  /** the message was taken, and the task goes on: what it does from then on is no matter of its end */
  readonly reopened: boolean;
}

export const endedTask = observation<EndedTask>({
  name: "what an ended task refuses",
  messages: 0,
  uses: [endedCancel],
  async make(target) {
    const { task, canceled, got } = await target.observe(endedCancel);
    // A message of ours is JSON.
    const message = target.message("task", { taskId: task.id }) as unknown as JsonObject;
    const addressed = await target.call("SendMessage", { message }, { refusable: true });
    const after = await target.call("GetTask", { id: task.id }, { mayBeGone: true });
    const now = taskIn(after);
    const reopened = taskIn(addressed)?.id === task.id || (now !== undefined && !isEnded(now.state));
    return { task, canceled, got, addressed, reopened };
  },
});

/** Why a task shows nothing of tasks that have ended. */
export const openAgain = "a message to the task that had ended opened it again";

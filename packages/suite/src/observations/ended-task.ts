import type { JsonObject } from "@assay/protocol";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import { isEnded, type LooseTask } from "../reading.ts";
import { readAgain, taskAtRest } from "./sent-message.ts";

/** A task that ended by itself, and how CancelTask was answered for it. */
interface EndedCancel {
  readonly task: LooseTask;
  readonly canceled: Call;
}

export const endedCancel = observation<EndedCancel>({
  name: "cancelling an ended task",
  messages: 0,
  // First it is read as it is: even a refused message may leave its mark on a task.
  uses: [taskAtRest, readAgain],
  async make(target) {
    const { last: task } = await target.observe(taskAtRest);
    if (!isEnded(task.state) || task.state === "TASK_STATE_CANCELED")
      throw concernsNobody("the task that was made did not end by itself");
    return { task, canceled: await target.call("CancelTask", { id: task.id }) };
  },
});

/** What an ended task is asked for and must refuse. Before 0.2 a message opens it again, and is no matter of refusal. */
interface EndedTask extends EndedCancel {
  readonly addressed: Call;
  /** GetTask still finds it; otherwise not-found is as good an answer as any (§3.3.2: ended tasks may be purged) */
  readonly kept: boolean;
}

export const endedTask = observation<EndedTask>({
  name: "what an ended task refuses",
  messages: 0,
  uses: [endedCancel],
  async make(target) {
    const { task, canceled } = await target.observe(endedCancel);
    // A message of ours is JSON.
    const message = target.message("task", { taskId: task.id }) as unknown as JsonObject;
    const addressed = await target.call("SendMessage", { message }, { refusable: true });
    const after = await target.call("GetTask", { id: task.id });
    return { task, canceled, addressed, kept: after.reply.is === "result" };
  },
});

import type { JsonObject } from "@assay/protocol";
import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import { isEnded, type LooseTask } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { settledTask } from "./settled.ts";

/** What an ended task is asked for and must refuse. */
interface EndedTask {
  readonly task: LooseTask;
  readonly canceled: Talk;
  readonly addressed: Talk;
  /** GetTask still finds it; otherwise not-found is as good an answer as any (§3.3.2: ended tasks may be purged) */
  readonly kept: boolean;
}

export const endedTask = observation<EndedTask>({
  name: "what an ended task refuses",
  messages: 0,
  uses: [settledTask],
  async make(lab) {
    const { last: task } = await lab.observe(settledTask);
    if (!isEnded(task.state) || task.state === "TASK_STATE_CANCELED")
      throw concernsNobody("the task that was made did not end by itself");
    // A message of ours is JSON.
    const message = lab.message("task", { taskId: task.id }) as unknown as JsonObject;
    const canceled = await lab.call("CancelTask", { id: task.id });
    const addressed = await lab.call("SendMessage", { message }, { refusable: true });
    const after = await lab.call("GetTask", { id: task.id });
    return { task, canceled, addressed, kept: after.reply.is === "result" };
  },
});

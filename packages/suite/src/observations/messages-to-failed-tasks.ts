import type { JsonObject } from "@assay/protocol";
import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";
import { ownContext, tasksInOneContext } from "./contexts.ts";
import { sentCalls } from "./sent-calls.ts";

/** A task that failed or was rejected, and what becomes of a message to it. */
export interface MessageToFailedTask {
  readonly task: LooseTask;
  readonly addressed: Call;
  /** GetTask after that */
  readonly after: Call;
}

export const messagesToFailedTasks = observation<readonly MessageToFailedTask[]>({
  name: "messages to tasks that failed or were rejected",
  messages: 0,
  uses: [ownContext, tasksInOneContext],
  async make(target) {
    // Before 0.2 a message opens a task again, whichever way it had ended.
    if (target.on.dialect === "0.1") return [];
    const [own, several] = [await target.observe(ownContext), await target.observe(tasksInOneContext)];
    const tasks = [own.call, several.plain].flatMap((call) => taskIn(call) ?? []);
    const ended = tasks.filter(({ state }) => isEnded(state) && state !== "TASK_STATE_COMPLETED");
    return sentCalls(ended.map((task) => goOnWith(task, target)));
  },
});

async function goOnWith(task: LooseTask, target: Target): Promise<MessageToFailedTask> {
  // A message of ours is JSON.
  const message = target.message("task", { taskId: task.id }) as unknown as JsonObject;
  const addressed = await target.call("SendMessage", { message }, { refusable: true });
  return { task, addressed, after: await target.call("GetTask", { id: task.id }, { mayBeGone: true }) };
}

import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { ownContext, tasksInOneContext } from "./contexts.ts";
import { sendInVain } from "./sending.ts";
import { sentCalls } from "./sent-calls.ts";
import { readAgain, taskAtRest } from "./sent-message.ts";

/** A task that ended by itself, and the response to its CancelTask. */
interface EndedCancel {
  readonly task: LooseTask;
  readonly canceled: Call;
  /** GetTask after that, before any other request */
  readonly got: Call;
}

export const endedCancel = observation<EndedCancel>("cancelling an ended task", {
  // Reads it unchanged first, because even a rejected message may change a task.
  uses: [taskAtRest, readAgain],
  async make(target) {
    const { last: task } = await target.observe(taskAtRest);
    if (!isEnded(task.state) || task.state === "TASK_STATE_CANCELED")
      throw doesNotApply("the task did not end by itself");
    const canceled = await target.call("CancelTask", { id: task.id });
    return { task, canceled, got: await target.call("GetTask", { id: task.id }, { mayBeGone: true }) };
  },
});

/** Requests that an ended task must reject. Before 0.2 a message reopens it instead. */
interface EndedTask extends EndedCancel {
  readonly addressed: Call;
  /** the message was accepted and the task continues, so it no longer counts as ended */
  readonly reopened: boolean;
}

export const endedTask = observation<EndedTask>("requests that an ended task must reject", {
  uses: [endedCancel],
  async make(target) {
    const { task, canceled, got } = await target.observe(endedCancel);
    const addressed = await sendInVain(target, { taskId: task.id });
    const after = await target.call("GetTask", { id: task.id }, { mayBeGone: true });
    const now = taskIn(after);
    const reopened = taskIn(addressed)?.id === task.id || (now !== undefined && !isEnded(now.state));
    return { task, canceled, got, addressed, reopened };
  },
});

/** The reason why a task shows nothing about ended tasks. */
export const openAgain = "a message to the ended task reopened it";

/** An ended task, and its state some time after a client tried to continue it. */
interface TaskAfterEnd {
  readonly ended: LooseTask;
  readonly endedAt: Call;
  /** GetTask, more than a second later */
  readonly after: Call;
  /** the client could continue it */
  readonly reopened: boolean;
}

export const taskAfterEnd = observation<TaskAfterEnd>("a task after its end", {
  uses: [taskAtRest, endedTask],
  async make(target) {
    const { last: ended, got: endedAt } = await target.observe(taskAtRest);
    const { reopened } = await target.observe(endedTask);
    // Long enough to tell the response time from the status timestamp at any precision.
    await target.sleep(1_100);
    return { ended, endedAt, reopened, after: await target.call("GetTask", { id: ended.id }, { mayBeGone: true }) };
  },
});

/** A failed or rejected task, and the response to a message for it. */
interface MessageToFailedTask {
  readonly task: LooseTask;
  readonly addressed: Call;
  /** GetTask after that */
  readonly after: Call;
}

export const messagesToFailedTasks = observation<readonly MessageToFailedTask[]>(
  "messages to tasks that failed or were rejected",
  {
    uses: [ownContext, tasksInOneContext],
    async make(target) {
      // Before 0.2 a message reopens a task in any end state.
      if (target.on.dialect === "0.1") return [];
      const [own, several] = [await target.observe(ownContext), await target.observe(tasksInOneContext)];
      const tasks = [own.call, several.plain].flatMap((call) => taskIn(call) ?? []);
      const ended = tasks.filter(({ state }) => isEnded(state) && state !== "TASK_STATE_COMPLETED");
      return sentCalls(ended.map((task) => goOnWith(task, target)));
    },
  },
);

async function goOnWith(task: LooseTask, target: Target): Promise<MessageToFailedTask> {
  const addressed = await sendInVain(target, { taskId: task.id });
  return { task, addressed, after: await target.call("GetTask", { id: task.id }, { mayBeGone: true }) };
}

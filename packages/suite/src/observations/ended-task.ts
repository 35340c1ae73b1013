import { isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { ownContext, tasksInOneContext } from "./contexts.ts";
import { sendInVain } from "./sending.ts";
import { sentCalls } from "./sent-calls.ts";
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
      throw doesNotApply("the task did not end by itself");
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
  name: "requests that an ended task must reject",
  messages: 0,
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

/** Why a task shows nothing of tasks that have ended. */
export const openAgain = "a message to the ended task reopened it";

/** A task that has ended, and how it stands a while after a client tried to go on with it. */
interface TaskAfterEnd {
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

/** A task that failed or was rejected, and what becomes of a message to it. */
interface MessageToFailedTask {
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
  const addressed = await sendInVain(target, { taskId: task.id });
  return { task, addressed, after: await target.call("GetTask", { id: task.id }, { mayBeGone: true }) };
}

import { asObject, asObjects, isEnded, looseTask, resultOf } from "../../reading.ts";
import type { Debts } from "./clean-up.ts";

/** However long the agent takes, the user does not wait longer for our tidying up. */
const patience = 5_000;

/** Deletes the push configurations we made and cancels the tasks that still run; says what could not be put back. */
export async function tidy(debts: Debts): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), patience);
  });
  const outcome = await Promise.race([putBack(debts), late]);
  clearTimeout(timer);
  return outcome === "late"
    ? ["Not everything that this run started could be ended: the agent did not answer in time."]
    : [];
}

async function putBack(debts: Debts): Promise<void> {
  await debts.settled();
  await Promise.allSettled([
    ...debts.configs.map(({ call, taskId, id }) => call("DeleteTaskPushNotificationConfig", { taskId, id })),
    ...debts.tasks.map(({ call, taskId }) => call("CancelTask", { id: taskId })),
    ...debts.lost.map(async ({ call, messageId }) => {
      const listed = asObject(resultOf(await call("ListTasks", { pageSize: 50 })));
      const task = asObjects(listed?.["tasks"])
        .flatMap((json) => looseTask(json) ?? [])
        .find(({ history }) => history.some((message) => message["messageId"] === messageId));
      if (task && !isEnded(task.state)) await call("CancelTask", { id: task.id });
    }),
  ]);
}

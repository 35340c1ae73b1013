import type { Debts } from "./session.ts";

/** However long the agent takes, the user does not wait longer for our tidying up. */
const patience = 5_000;

/** Deletes the push configurations we made and cancels the tasks that still run; says what could not be put back. */
export async function tidy(debts: Debts): Promise<string[]> {
  const { tasks, configs } = debts;
  const work = Promise.allSettled([
    ...configs.map(({ call, taskId, id }) => call("DeleteTaskPushNotificationConfig", { taskId, id })),
    ...tasks.map(({ call, taskId }) => call("CancelTask", { id: taskId })),
  ]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), patience);
  });
  const outcome = await Promise.race([work, late]);
  clearTimeout(timer);
  return outcome === "late"
    ? ["Not everything that this run started could be ended: the agent did not answer in time."]
    : [];
}

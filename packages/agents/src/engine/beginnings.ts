import type { Message, Task } from "@assay/protocol";
import type { TaskCall } from "../definition/call.ts";
import type { TaskStore } from "../store/store.ts";

/**
 * The message that began what a task does now, and so chose its skill: the first of its history. Where clients choose the
 * ids of tasks, one that had ended may have been begun again with all that was said before: there it is the last message
 * of the task as its log introduces it, so that the choice survives a restart without being stored apart.
 */
export async function beginningOf(
  store: TaskStore,
  { scope, clientIds }: TaskCall,
  { id, history = [] }: Task,
): Promise<Message | undefined> {
  if (!clientIds) return history[0];
  const log = store.follow(scope, id, 0, new AbortController().signal);
  const { value: [first] = [] } = await log.next();
  await log.return();
  return (first?.is === "created" ? first.task.history?.at(-1) : undefined) ?? history[0];
}

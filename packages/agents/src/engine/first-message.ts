import type { Message, Task } from "@assay/protocol";
import type { TaskCall } from "../definition/call.ts";
import type { TaskStore } from "../store/store.ts";

/**
 * Returns the message that selected the skill of a task: the first of its history. If clients choose task
 * ids, an ended task may have been restarted with its history. Then it is the last message of the task as its
 * log introduces it, so the choice survives a restart without extra storage.
 */
export async function firstMessageOf(
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

import type { Task } from "@assay/protocol";

/** Identifies a task to clients. */
export interface TaskIds {
  readonly id: string;
  readonly contextId: string;
}

export const idsOf = (task: Task): TaskIds => ({ id: task.id, contextId: task.contextId ?? "" });

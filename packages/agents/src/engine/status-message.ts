import { randomUUID } from "node:crypto";
import type { TaskStatus } from "@assay/protocol";
import type { TaskIds } from "./task-ids.ts";

/** Adds a message to a status, so that the history shows every state of the task. */
export function withStatusMessage(status: TaskStatus, { id, contextId }: TaskIds): TaskStatus {
  if (status.message) return status;
  const state = status.state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");
  const parts = [{ text: `The task is ${state}.` }];
  return { ...status, message: { messageId: randomUUID(), contextId, taskId: id, role: "ROLE_AGENT", parts } };
}

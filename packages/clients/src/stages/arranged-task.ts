import type { Testbed } from "@assay/agents";
import type { Task } from "@assay/protocol";
import type { Arranged } from "../stage.ts";

interface Beginning {
  readonly returnImmediately?: boolean;
  readonly tenant?: string;
}

/** Starts a task before the client connects. */
export async function begin(
  bed: Testbed,
  path: string,
  { returnImmediately = false, tenant }: Beginning = {},
): Promise<Task> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER" as const, parts: [{ text: "go" }] };
  const as = tenant === undefined ? {} : { tenant };
  const { task } = await bed.perform(path, "SendMessage", { message, configuration: { returnImmediately } }, as);
  // Every skill used here creates a task.
  return task!;
}

/** Returns the task's id for the client. */
export const toldOf = ({ id, contextId }: Task): Arranged => ({
  env: { ASSAY_TASK: id },
  told: [id, ...(contextId ? [contextId] : [])],
});

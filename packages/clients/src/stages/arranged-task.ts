import type { Testbed } from "@assay/agents";
import type { Task } from "@assay/protocol";
import type { Arranged } from "../stage.ts";

interface Beginning {
  readonly returnImmediately?: boolean;
  readonly tenant?: string;
}

/** A task that is begun before the client comes. */
export async function begin(
  bed: Testbed,
  path: string,
  { returnImmediately = false, tenant }: Beginning = {},
): Promise<Task> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER" as const, parts: [{ text: "go" }] };
  const as = tenant === undefined ? {} : { tenant };
  const { task } = await bed.perform(path, "SendMessage", { message, configuration: { returnImmediately } }, as);
  // Every skill of the agents that arrange one makes a task.
  return task!;
}

/** What a client is told of it. */
export const toldOf = ({ id, contextId }: Task): Arranged => ({
  env: { ASSAY_TASK: id },
  told: [id, ...(contextId ? [contextId] : [])],
});

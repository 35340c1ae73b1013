import type { StreamResponse } from "@assay/protocol";
import { asked, message, streamed } from "./asking.fixture.ts";
import type { Witness } from "./witness.fixture.ts";

/**
 * Runs clients that send requests without a pause until the server is gone or `enough` is reached. A witness records each
 * acknowledgement. Resolves to the error of each client.
 */
export async function loadOn(
  agent: string,
  clients: number,
  random: () => number,
  witness: Witness,
  enough?: AbortSignal,
): Promise<unknown[]> {
  const kinds = [streams, converses, cancels] as const;
  const one = async (): Promise<unknown> => {
    while (!enough?.aborted) {
      const kind = kinds[Math.floor(random() * kinds.length)]!;
      try {
        await kind(agent, witness);
      } catch (error) {
        return error;
      }
    }
    return undefined;
  };
  const ends = await Promise.all(Array.from({ length: clients }, one));
  return ends.filter((end) => end !== undefined);
}

async function streams(agent: string, witness: Witness): Promise<void> {
  const request = message("chunks 60 24");
  for await (const event of streamed(agent, "SendStreamingMessage", request)) noteEvent(event, witness, request);
}

function noteEvent(event: StreamResponse, witness: Witness, { message: sent }: ReturnType<typeof message>): void {
  const { task, statusUpdate, artifactUpdate } = event;
  if (task) witness.of(task.id).messages.push(sent.messageId);
  if (statusUpdate) witness.state(statusUpdate.taskId, statusUpdate.status.state);
  if (artifactUpdate) {
    const texts = artifactUpdate.artifact.parts.map(({ text }) => text ?? "");
    witness.of(artifactUpdate.taskId).chunks.push(...texts);
  }
}

/** Holds a conversation with an unreachable webhook. */
async function converses(agent: string, witness: Witness): Promise<void> {
  let taskId: string | undefined;
  for (const text of ["multi-turn start", "and", "so on", "done"]) {
    const request = message(text, taskId === undefined ? {} : { taskId });
    const { task } = await asked(agent, "SendMessage", request);
    taskId = task!.id;
    witness.of(taskId).messages.push(request.message.messageId);
    const { state, message: why } = task!.status;
    witness.state(taskId, state);
    if (state === "TASK_STATE_FAILED") throw new Error(why?.parts[0]?.text);
    if (text === "done") return;
    const config = { taskId, id: `hook after ${text}`, url: "http://127.0.0.1:9/" };
    await asked(agent, "CreateTaskPushNotificationConfig", config);
    witness.of(taskId).webhooks.push(config.id);
  }
}

async function cancels(agent: string, witness: Witness): Promise<void> {
  // Runs longer than any test waits, so that it cannot end before the cancel on a busy machine.
  const request = message("chunks 1000 10 60000");
  const { task } = await asked(agent, "SendMessage", { ...request, configuration: { returnImmediately: true } });
  const { id } = task!;
  witness.of(id).messages.push(request.message.messageId);
  await asked(agent, "GetTask", { id });
  const canceled = await asked(agent, "CancelTask", { id });
  witness.state(id, canceled.status.state);
}

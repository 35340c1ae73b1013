import type { JsonObject } from "@assay/protocol";
import type { Call } from "../call.ts";
import { concernsNobody, heldUp, type Obstacle, skipped } from "../obstacle.ts";
import { describeReply, isEnded, type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Target } from "../target.ts";

/** Sets the agent to work on something slow and comes back at once: a task that can be looked at while it lives. */
export async function startSlowTask(
  target: Target,
  configuration: JsonObject = {},
): Promise<{ readonly call: Call; readonly task: LooseTask }> {
  const call = await target.send("slow", { configuration: { returnImmediately: true, ...configuration } });
  const task = taskIn(call);
  if (task && isEnded(task.state)) throw tooFast();
  if (task) return { call, task };
  if (call.reply.is === "failure") throw noAnswer(call);
  if (messageIn(call)) throw concernsNobody("the agent answered with a message and made no task");
  throw heldUp("SEND-001", "SendMessage is answered with neither a task nor a message", call, {
    saw: describeReply(call),
    want: "a result with either task or message",
  });
}

/** The connection broke: whether that is the agent's doing is judged by checks that look at it more closely. */
export const noAnswer = (call: Call): Obstacle =>
  skipped("unstable", `a message got no answer: ${describeReply(call)}`, "--task-timeout <seconds>");

export const tooFast = (): Obstacle =>
  skipped(
    "unstable",
    "the task that should have been slow was over before it could be looked at",
    "prompts.slow in assay.yaml: something that takes several seconds",
  );

/** Whether a task still lives, by the agent's own word. */
export async function isAlive(target: Target, id: string): Promise<boolean> {
  const task = taskIn(await target.call("GetTask", { id }));
  return task !== undefined && !isEnded(task.state);
}

import type { JsonObject } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { concernsNobody, heldUp, type Obstacle, skipped } from "../obstacle.ts";
import { describeReply, isEnded, type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** Sets the agent to work on something slow and comes back at once: a task that can be looked at while it lives. */
export async function putToWork(
  lab: Lab,
  configuration: JsonObject = {},
): Promise<{ readonly talk: Talk; readonly task: LooseTask }> {
  const talk = await lab.send("slow", { configuration: { returnImmediately: true, ...configuration } });
  const task = taskIn(talk);
  if (task && isEnded(task.state)) throw tooFast();
  if (task) return { talk, task };
  if (talk.reply.is === "failure") throw noAnswer(talk);
  if (messageIn(talk)) throw concernsNobody("the agent answered with a message and made no task");
  throw heldUp("SEND-001", "SendMessage is answered with neither a task nor a message", talk, {
    saw: describeReply(talk),
    want: "a result with either task or message",
  });
}

/** The connection broke: whether that is the agent's doing is for those to say who look at it more closely. */
export const noAnswer = (talk: Talk): Obstacle =>
  skipped("unstable", `a message got no answer: ${describeReply(talk)}`, "--timeout <seconds>");

export const tooFast = (): Obstacle =>
  skipped(
    "unstable",
    "the task that should have been slow was over before it could be looked at",
    "prompts.slow in assay.yaml: something that takes several seconds",
  );

/** Whether a task still lives, by the agent's own word. */
export async function isAlive(lab: Lab, id: string): Promise<boolean> {
  const task = taskIn(await lab.call("GetTask", { id }));
  return task !== undefined && !isEnded(task.state);
}

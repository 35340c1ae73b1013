import { describeReply, isEnded, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { Target } from "../define/target.ts";
import { noTask, unanswered } from "./no-task.ts";
import { follow } from "./sent-message.ts";

/** Tasks by how long they can be observed: working, waiting for the user, any. */
export const livingFirst = ["slow", "inputRequired", "task"] as const;

/** Starts slow work and returns at once, so that the task can be observed while it works. */
export async function startSlowTask(target: Target): Promise<{ readonly call: Call; readonly task: LooseTask }> {
  const started = await startTask(target, "slow");
  if (isEnded(started.task.state)) throw tooFast();
  return started;
}

/** Makes the agent create a task, and does not wait for it. */
export async function startTask(
  target: Target,
  kind: PromptKind,
): Promise<{ readonly call: Call; readonly task: LooseTask }> {
  const call = await target.send(kind, { configuration: { returnImmediately: true } });
  const task = taskIn(call);
  // The task works until it asks for input, and may end at any time.
  if (task) return { call, task: (kind === "inputRequired" && (await follow(target, task)).last) || task };
  if (call.reply.is === "failure") throw noAnswer(call);
  if (messageIn(call)) throw noTask(kind);
  const because = "SendMessage returns neither a task nor a message";
  throw unanswered("SEND-001", call, because, "a result with either task or message");
}

/** The connection broke. Checks that examine this decide if the agent is at fault. */
export const noAnswer = (call: Call): Obstacle =>
  skippedFor(call, `a message got no response: ${describeReply(call)}`, "--task-timeout <seconds>");

export const tooFast = (): Obstacle =>
  skipped(
    "prompt",
    "the task that should be slow ended before Assay could examine it",
    "prompts.slow in assay.yaml: something that takes several seconds",
  );

/** Returns true if GetTask shows a task that still lives. If GetTask lags, asks again after the lag. */
export async function isAlive(target: Target, id: string): Promise<boolean> {
  const says = async (): Promise<boolean> => {
    const task = taskIn(await target.call("GetTask", { id }, { mayBeGone: true }));
    return task !== undefined && !isEnded(task.state);
  };
  if (!(await says())) return false;
  if (target.lag === 0) return true;
  await target.sleep(target.lag);
  return says();
}

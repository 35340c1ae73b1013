import { setTimeout as wait } from "node:timers/promises";
import { isResting, type Operation } from "@assay/protocol";
import { awakeStopwatch } from "@assay/wire";
import type { PassedCall } from "../sight.ts";
import { type AgentCaller, messageOf, stateOf, troubleIn } from "./say.ts";

/** The result of canceling a task that one agent works on for the other. A2A has no rule about it. */
export type CanceledAcross =
  | { readonly is: "canceled" }
  | { readonly is: "not-canceled"; readonly because: string }
  | { readonly is: "untried"; readonly because: string };

/** The calls from one agent to the other. */
export interface CrossingCalls {
  readonly calls: readonly PassedCall[];
  /** number of requests that have started, besides those for the card */
  readonly begun: number;
}

interface CancelOptions {
  /** the message that makes the relaying agent start the work */
  readonly text: string;
  readonly crossing: CrossingCalls;
  /** limit of each wait, in milliseconds */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const pollMs = 50;
/** Time for the relaying agent to receive the id of the task. An agent that waits for the end of the task takes longer. */
const introductionMs = 1_000;

/** Starts slow work, cancels it, and checks if the other agent's task is canceled, too. */
export async function cancelAcross(
  caller: AgentCaller,
  { text, crossing, timeoutMs, signal }: CancelOptions,
): Promise<CanceledAcross> {
  const untried = (because: string): CanceledAcross => ({ is: "untried", because });
  const until = async (isTrue: () => boolean, limitMs = timeoutMs): Promise<boolean> => {
    for (const elapsed = awakeStopwatch(); !isTrue(); await wait(pollMs, undefined, signal && { signal }))
      if (elapsed() > limitMs) return false;
    return true;
  };
  const before = { calls: crossing.calls.length, begun: crossing.begun };
  const configuration = { returnImmediately: true };
  const sent = await caller.call("SendMessage", { message: messageOf(text), configuration }, signal);
  if (sent.is !== "value") return untried(troubleIn(sent));
  const { task } = sent.value;
  if (!task || isResting(task.status.state)) return untried("the work ended before it could be canceled");
  if (!(await until(() => crossing.begun > before.begun))) return untried("no call to the other agent began in time");
  const passed = (operation: Operation): PassedCall | undefined =>
    crossing.calls.slice(before.calls).find(({ asked }) => asked === operation);
  await until(() => passed("SendMessage") !== undefined, Math.min(introductionMs, timeoutMs));
  const canceled = await caller.call("CancelTask", { id: task.id }, signal);
  if (canceled.is !== "value") return untried(`the task is not canceled: ${troubleIn(canceled)}`);
  if (canceled.value.status.state !== "TASK_STATE_CANCELED")
    return untried(`the task is ${stateOf(canceled.value)} after CancelTask`);
  if (!(await until(() => passed("CancelTask") !== undefined)))
    return { is: "not-canceled", because: "it cancels its own task, but sends no CancelTask to the other agent" };
  const { answer } = passed("CancelTask")!;
  return answer === "task canceled" ? { is: "canceled" } : untried(`the other agent answers CancelTask with ${answer}`);
}

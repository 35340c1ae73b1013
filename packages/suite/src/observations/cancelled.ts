import type { Call } from "../call.ts";
import { matches } from "../expect-error.ts";
import type { LiveStream } from "../live-stream.ts";
import { observation } from "../observation.ts";
import { doesNotApply, skipped } from "../obstacle.ts";
import { errorOf, eventsOf, isAtRest, isEnded, type LooseEvent, taskIn } from "../reading.ts";
import { slowMs } from "../stimuli/brought-about.ts";
import type { Target } from "../target.ts";
import { isClosed } from "../whole-stream.ts";
import { beginSlow, tellsEnd } from "./several-subscribers.ts";
import { startSlowTask, startTask } from "./start-task.ts";
import { closing } from "./task-stream.ts";
import { untilSeen } from "./until-seen.ts";

/** A task that was cancelled while it was at work, or where none is slow, while it waited for the user. */
export interface Cancelled {
  readonly id: string;
  /** when it was begun, by the clock of `Target.now` */
  readonly begunAt: number;
  /** how CancelTask was answered */
  readonly cancel: Call;
  /** GetTask when the task had come to rest, or when our patience was at its end; absent where cancelling was refused */
  readonly settled: Call | undefined;
  /** the stream of the task, where there is one */
  readonly stream:
    | { readonly call: Call; readonly events: readonly LooseEvent[]; readonly closed: boolean }
    | undefined;
  /** a second CancelTask, and GetTask after it; absent where the task is not canceled */
  readonly again: { readonly cancel: Call; readonly after: Call } | undefined;
}

const hasEndedByItself = (cancel: Call): boolean => {
  const state = taskIn(cancel)?.state;
  return isEnded(state) && state !== "TASK_STATE_CANCELED";
};

/** Whatever becomes of the task: what was seen until then can be judged. */
const gone = { mayBeGone: true } as const;

export const cancelled = observation<Cancelled>({
  name: "a task that is cancelled",
  messages: 1,
  prompts: [["slow", "inputRequired"]],
  rank: 4,
  async make(target) {
    const begunAt = target.now();
    const { id, live } = target.hasPrompt("slow") ? await beginWork(target) : await beginWaiting(target);
    const cancel = await target.call("CancelTask", { id }, gone);
    if (errorOf(cancel) || !taskIn(cancel)) {
      await live?.hangUp();
      const now = await target.call("GetTask", { id }, gone);
      if (matches(cancel, "TaskNotCancelable") && isEnded(taskIn(now)?.state)) throw tooLate();
      // One that has ended may be gone at once (§3.3.2).
      if (matches(cancel, "TaskNotFound") && matches(now, "TaskNotFound")) throw tooLate();
      return { id, begunAt, cancel, settled: undefined, stream: undefined, again: undefined };
    }
    // It had ended before, or while it was asked: nothing had to be waited for to say so.
    if (hasEndedByItself(cancel) && cancel.exchange.timing.end < slowMs) {
      await live?.hangUp();
      throw tooLate();
    }
    const settled = await untilAtRest(target, id);
    const stream = live && (await concluded());
    const canceled = taskIn(settled)?.state === "TASK_STATE_CANCELED";
    const again = canceled
      ? { cancel: await target.call("CancelTask", { id }, gone), after: await target.call("GetTask", { id }, gone) }
      : undefined;
    return { id, begunAt, cancel, settled, stream, again };

    async function concluded() {
      await target.due("cancel", (withinMs) => live!.until(tellsEnd, withinMs), Boolean);
      const call = await closing(target, live!);
      return { call, events: eventsOf(call), closed: isClosed(call) };
    }
  },
});

/** The task once it is canceled: rules about that do not concern an agent that did not cancel it. */
export interface CanceledTask extends Cancelled {
  readonly settled: Call;
}

export const canceledTask = observation<CanceledTask>({
  name: "a canceled task",
  messages: 0,
  uses: [cancelled],
  async make(target) {
    const seen = await target.observe(cancelled);
    const { settled } = seen;
    if (!settled) throw doesNotApply("the agent does not cancel a task at work");
    return { ...seen, settled };
  },
});

const tooLate = () =>
  skipped("prompt", "the slow task was over before it could be cancelled", "prompts.slow in assay.yaml");

interface Begun {
  readonly id: string;
  readonly live: LiveStream | undefined;
}

/** Something slow, as a stream or by a client that does not wait. */
async function beginWork(target: Target): Promise<Begun> {
  if (target.facts.streaming) {
    const { id, live, state } = await beginSlow(target);
    if (isAtRest(state)) throw tooLate();
    return { id, live };
  }
  const { task } = await startSlowTask(target);
  if (isAtRest(task.state)) throw tooLate();
  return { id: task.id, live: undefined };
}

/** A task that waits for the user can be canceled as well, and does not run away. */
async function beginWaiting(target: Target): Promise<Begun> {
  const { task } = await startTask(target, "inputRequired");
  if (isEnded(task.state)) throw tooLate();
  return { id: task.id, live: undefined };
}

/** A cancel that was only taken note of has the grace time to come about (AMB-12). */
async function untilAtRest(target: Target, id: string): Promise<Call> {
  const isOver = (got: Call): boolean => {
    const task = taskIn(got);
    return !task || isAtRest(task.state);
  };
  return untilSeen(target, "cancel", () => target.call("GetTask", { id }, gone), isOver);
}

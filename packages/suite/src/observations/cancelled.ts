import { matches } from "../answers/expect-error.ts";
import { errorOf, eventsOf, isAtRest, isEnded, type LooseEvent, taskIn } from "../answers/reading.ts";
import { isClosed } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import type { LiveStream } from "../define/live-stream.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { ifSent } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { beginSlow, severalSubscribers, tellsEnd } from "./several-subscribers.ts";
import { isAlive, startSlowTask, startTask } from "./start-task.ts";
import { closing } from "./task-stream.ts";
import { untilSeen } from "./until-seen.ts";

/** A task that was cancelled while working, or without a slow one, while it waited for the user. */
export interface Cancelled {
  readonly id: string;
  /** when it started, by the clock of `Target.now` */
  readonly begunAt: number;
  /** the response to CancelTask */
  readonly cancel: Call;
  /** GetTask when the task had come to rest or the time was over; absent if the agent rejected the cancel */
  readonly settled: Call | undefined;
  /** the stream of the task, if there is one */
  readonly stream:
    | { readonly call: Call; readonly events: readonly LooseEvent[]; readonly closed: boolean }
    | undefined;
  /** a second CancelTask and GetTask after it; absent if the task is not canceled */
  readonly again: { readonly cancel: Call; readonly after: Call } | undefined;
  /** set if the task ended in another state than CANCELED */
  readonly otherwise?: OtherEnd;
}

/** The end of a cancelled task that is not CANCELED. Times are upper bounds, until Assay saw the end. */
interface OtherEnd {
  readonly state: string;
  /** milliseconds since the start of the task */
  readonly tookMs: number;
  /** milliseconds since the cancel */
  readonly afterMs: number;
}

const canceled = "TASK_STATE_CANCELED";

/** A purged task does not invalidate what was seen before. */
const gone = { mayBeGone: true } as const;

export const cancelled = observation<Cancelled>("a task that is cancelled", {
  messages: 1,
  prompts: [["slow", "inputRequired"]],
  rank: 4,
  make: (target) => attempt(target, async () => {}),
});

/** Starts a task, runs `before`, and cancels the task. */
async function attempt(target: Target, before: (id: string) => Promise<void>): Promise<Cancelled> {
  const begunAt = target.now();
  const { id, live } = target.hasPrompt("slow") ? await beginWork(target) : await beginWaiting(target);
  try {
    await before(id);
  } catch (error) {
    await live?.hangUp();
    throw error;
  }
  const askedAt = target.now();
  const cancel = await target.call("CancelTask", { id }, gone);
  if (errorOf(cancel) || !taskIn(cancel)) {
    await live?.hangUp();
    const now = await target.call("GetTask", { id }, gone);
    const end = taskIn(now)?.state;
    // The task may have ended by itself or because of the cancel. The rejection is right in both cases.
    if (matches(cancel, "TaskNotCancelable") && isEnded(end))
      throw skipped("prompt", `the agent rejected CancelTask, and the task had already ended in ${end}`, slowerPrompt);
    // An ended task may be purged at once (§3.3.2).
    if (matches(cancel, "TaskNotFound") && matches(now, "TaskNotFound")) throw tooLate();
    return { id, begunAt, cancel, settled: undefined, stream: undefined, again: undefined };
  }
  const answeredAt = target.now();
  const settled = await untilAtRest(target, id);
  const state = [cancel, settled].map((call) => taskIn(call)?.state).find(isEnded);
  const seenAt = isEnded(taskIn(cancel)?.state) ? answeredAt : target.now();
  const stream = live && (await concluded(target, live));
  const isCanceled = taskIn(settled)?.state === canceled;
  const again = isCanceled
    ? { cancel: await target.call("CancelTask", { id }, gone), after: await target.call("GetTask", { id }, gone) }
    : undefined;
  const otherwise =
    state === undefined || state === canceled || isCanceled
      ? undefined
      : { state, tookMs: seenAt - begunAt, afterMs: seenAt - askedAt };
  return { id, begunAt, cancel, settled, stream, again, ...(otherwise && { otherwise }) };
}

async function concluded(target: Target, live: LiveStream) {
  await target.due("cancel", (withinMs) => live.until(tellsEnd, withinMs), Boolean);
  const call = await closing(target, live);
  return { call, events: eventsOf(call), closed: isClosed(call) };
}

/** A task that ends later than this after a cancel has ended by itself. */
const byCancelMs = 1_000;

/**
 * Returns true if the task ended right after the cancel: by itself, or because the agent ends cancelled tasks in
 * another state.
 */
const endedAtCancel = ({ otherwise }: Cancelled): boolean => otherwise !== undefined && otherwise.afterMs <= byCancelMs;

/** A second cancel, made if the first task ended right after its cancel and long before its usual time. */
export interface CancelledAgain {
  /** milliseconds that the task takes without a cancel; infinite if it waits for the user */
  readonly usualMs: number;
  /** the second task, if Assay could cancel it while it was working */
  readonly second: Cancelled | undefined;
}

/** The task ended right after its cancel, in under half its usual time. */
export const endedEarly = (seen: Cancelled, usualMs: number): boolean =>
  endedAtCancel(seen) && seen.otherwise!.tookMs < usualMs / 2;

/** Undefined if the first cancel is clear. */
export const cancelledAgain = observation<CancelledAgain | undefined>("a task that is cancelled twice", {
  messages: 1,
  prompts: [["slow", "inputRequired"]],
  rank: 7,
  uses: [cancelled],
  async make(target) {
    const first = await target.observe(cancelled);
    if (!endedAtCancel(first)) return undefined;
    const usualMs = await usualTime(target);
    if (!endedEarly(first, usualMs)) return { usualMs, second: undefined };
    // Cancels at another moment, while the task is known to work. If it ends right after that too, this is not a
    // coincidence.
    const later = async (id: string): Promise<void> => {
      if (Number.isFinite(usualMs)) await target.sleep(Math.min(usualMs / 8, 2_000));
      if (!(await isAlive(target, id))) throw tooLate();
    };
    return { usualMs, second: await ifSent(attempt(target, later)) };
  },
});

/**
 * Returns the milliseconds that the task takes without a cancel. A task that waits for the user does not end by itself.
 */
async function usualTime(target: Target): Promise<number> {
  if (!target.hasPrompt("slow")) return Number.POSITIVE_INFINITY;
  const watched = await target.observe(severalSubscribers);
  if (watched) return watched.tookMs;
  const begunAt = target.now();
  const { task } = await startSlowTask(target);
  await follow(target, task);
  return target.now() - begunAt;
}

/** A canceled task. Its rules do not apply to an agent that did not cancel it. */
export interface CanceledTask extends Cancelled {
  readonly settled: Call;
}

export const canceledTask = observation<CanceledTask>("a canceled task", {
  uses: [cancelled],
  async make(target) {
    const seen = await target.observe(cancelled);
    const { cancel, settled, otherwise } = seen;
    if (!settled) throw doesNotApply("the agent does not cancel a working task");
    if (otherwise && isEnded(taskIn(cancel)?.state))
      throw skipped("prompt", `the task ended in ${otherwise.state} when it was cancelled`, slowerPrompt);
    return { ...seen, settled };
  },
});

export const slowerPrompt = "prompts.slow in assay.yaml: something that takes several seconds";

const tooLate = () => skipped("prompt", "the slow task ended before Assay could cancel it", slowerPrompt);

interface Begun {
  readonly id: string;
  readonly live: LiveStream | undefined;
}

/** Starts slow work, as a stream or with returnImmediately. */
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

/** A task that waits for the user can be cancelled as well, and does not end before. */
async function beginWaiting(target: Target): Promise<Begun> {
  const { task } = await startTask(target, "inputRequired");
  if (isEnded(task.state)) throw tooLate();
  return { id: task.id, live: undefined };
}

/** An accepted cancel has the grace time to take effect (AMB-12). */
async function untilAtRest(target: Target, id: string): Promise<Call> {
  const isOver = (got: Call): boolean => {
    const task = taskIn(got);
    return !task || isAtRest(task.state);
  };
  return untilSeen(target, "cancel", () => target.call("GetTask", { id }, gone), isOver);
}

/** A canceled task, and the result of GetTask after the planned end of its work. */
interface CanceledTaskLater extends Cancelled {
  readonly settled: Call;
  readonly later: Call;
}

/** Maximum wait for a worker that might still finish. */
const longestMs = 30_000;

export const canceledTaskLater = observation<CanceledTaskLater>("a canceled task after its planned end", {
  uses: [canceledTask],
  async make(target) {
    const seen = await target.observe(canceledTask);
    const { id, cancel, settled, begunAt } = seen;
    if (![cancel, settled].some((call) => taskIn(call)?.state === "TASK_STATE_CANCELED"))
      throw skipped("not-triggered", "the task did not become CANCELED");
    const usual = target.hasPrompt("slow") ? await target.observe(severalSubscribers) : undefined;
    // A worker that does not know of the cancel finishes at the task's usual time.
    const due = begunAt + Math.min((usual?.tookMs ?? 2 * target.quiet) * 1.1 + 200, longestMs);
    await target.sleep(Math.max(0, due - target.now()));
    return { ...seen, later: await target.call("GetTask", { id }, { mayBeGone: true }) };
  },
});

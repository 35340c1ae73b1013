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
  /** set where the task ended in another state than CANCELED */
  readonly otherwise?: OtherEnd;
}

/** How a task ended that was cancelled and is not CANCELED. Times are upper bounds: they run until we saw the end. */
interface OtherEnd {
  readonly state: string;
  /** milliseconds since the task was begun */
  readonly tookMs: number;
  /** milliseconds since the cancel was sent */
  readonly afterMs: number;
}

const canceled = "TASK_STATE_CANCELED";

/** Whatever becomes of the task: what was seen until then can be judged. */
const gone = { mayBeGone: true } as const;

export const cancelled = observation<Cancelled>({
  name: "a task that is cancelled",
  messages: 1,
  prompts: [["slow", "inputRequired"]],
  rank: 4,
  make: (target) => attempt(target, async () => {}),
});

/** Begins a task, has something done before the cancel, and cancels it. */
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
    // The task may have ended by itself, or because of the cancel: the refusal is right either way.
    if (matches(cancel, "TaskNotCancelable") && isEnded(end))
      throw skipped("prompt", `the agent rejected CancelTask, and the task had already ended in ${end}`, slowerPrompt);
    // One that has ended may be gone at once (§3.3.2).
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

/** The task ended right after the cancel: either by itself, or because the agent ends a cancelled task in another state. */
const endedAtCancel = ({ otherwise }: Cancelled): boolean => otherwise !== undefined && otherwise.afterMs <= byCancelMs;

/** A second cancel, made where the first task ended right after its cancel and long before its usual time. */
export interface CancelledAgain {
  /** milliseconds that the same task takes when nobody cancels it; infinite for one that waits for the user */
  readonly usualMs: number;
  /** the second task, where it could be cancelled while it was at work */
  readonly second: Cancelled | undefined;
}

/** The task ended right after its cancel, in under half its usual time. */
export const endedEarly = (seen: Cancelled, usualMs: number): boolean =>
  endedAtCancel(seen) && seen.otherwise!.tookMs < usualMs / 2;

/** Undefined where the first cancel leaves nothing to ask. */
export const cancelledAgain = observation<CancelledAgain | undefined>({
  name: "a task that is cancelled twice",
  messages: 1,
  prompts: [["slow", "inputRequired"]],
  rank: 7,
  uses: [cancelled],
  async make(target) {
    const first = await target.observe(cancelled);
    if (!endedAtCancel(first)) return undefined;
    const usualMs = await usualTime(target);
    if (!endedEarly(first, usualMs)) return { usualMs, second: undefined };
    // At another moment of its life, and known to be alive: then its end is no chance.
    const later = async (id: string): Promise<void> => {
      if (Number.isFinite(usualMs)) await target.sleep(Math.min(usualMs / 8, 2_000));
      if (!(await isAlive(target, id))) throw tooLate();
    };
    return { usualMs, second: await ifSent(attempt(target, later)) };
  },
});

/** Milliseconds that the task takes when nobody cancels it. One that waits for the user does not end by itself. */
async function usualTime(target: Target): Promise<number> {
  if (!target.hasPrompt("slow")) return Number.POSITIVE_INFINITY;
  const watched = await target.observe(severalSubscribers);
  if (watched) return watched.tookMs;
  const begunAt = target.now();
  const { task } = await startSlowTask(target);
  await follow(target, task);
  return target.now() - begunAt;
}

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

/** A task that was said to be canceled, and what GetTask says once the work would have been over. */
interface CanceledTaskLater extends Cancelled {
  readonly settled: Call;
  readonly later: Call;
}

/** Longer than this we wait for no worker that might come back. */
const longestMs = 30_000;

export const canceledTaskLater = observation<CanceledTaskLater>({
  name: "a canceled task after its planned end",
  messages: 0,
  uses: [canceledTask],
  async make(target) {
    const seen = await target.observe(canceledTask);
    const { id, cancel, settled, begunAt } = seen;
    if (![cancel, settled].some((call) => taskIn(call)?.state === "TASK_STATE_CANCELED"))
      throw skipped("not-triggered", "the task did not become CANCELED");
    const usual = target.hasPrompt("slow") ? await target.observe(severalSubscribers) : undefined;
    // A worker that does not know of it is done when the task would have been.
    const due = begunAt + Math.min((usual?.tookMs ?? 2 * target.quiet) * 1.1 + 200, longestMs);
    await target.sleep(Math.max(0, due - target.now()));
    return { ...seen, later: await target.call("GetTask", { id }, { mayBeGone: true }) };
  },
});

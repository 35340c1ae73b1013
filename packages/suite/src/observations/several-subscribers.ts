import type { Arrived } from "@assay/wire";
import { isPassing, matches } from "../answers/expect-error.ts";
import {
  describeReply,
  eventsOf,
  isAtRest,
  isEnded,
  type LooseEvent,
  type LooseTask,
  looseEvent,
  taskIn,
} from "../answers/reading.ts";
import { isNotServed } from "../answers/served.ts";
import { skippedFor } from "../answers/trouble.ts";
import { assertReadable } from "../answers/unreadable-events.ts";
import { incomplete, isClosed } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import type { LiveStream } from "../define/live-stream.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, heldUp, type Obstacle, skipped } from "../define/obstacle.ts";
import type { How, Target } from "../define/target.ts";
import { follow } from "./sent-message.ts";
import { closing } from "./task-stream.ts";

/** Opens a subscription, or returns its rejection. The target knows the verb (AMB-04). */
export async function openSubscription(
  target: Target,
  id: string,
  how: How = {},
): Promise<
  { readonly live: LiveStream; readonly refused?: never } | { readonly refused: Call; readonly live?: never }
> {
  const live = await target.open("SubscribeToTask", { id }, how);
  const first = await live.peek(0);
  if (first === undefined || first.is === "result") return { live };
  return { refused: await live.hangUp() };
}

/** Subscribes to a task that waits for input, and returns the first response. */
export async function triedSubscription(target: Target, id: string): Promise<Call> {
  const tried = await openSubscription(target, id);
  if (tried.refused) return tried.refused;
  await tried.live.peek(target.grace);
  return tried.live.rest(0);
}

/** A stream that a client opened on a working task, read to its end. */
export interface Subscription {
  readonly taskId: string;
  readonly call: Call;
  readonly events: readonly LooseEvent[];
  /** over another binding than the one that started the task */
  readonly elsewhere: boolean;
  /** the last known state before the request */
  readonly known: string | undefined;
  /** it showed the end of the task */
  readonly complete: boolean;
  /** the agent closed it; otherwise it stayed open for the whole grace time */
  readonly closed: boolean;
  /** milliseconds between its last event and its end */
  readonly lingered: number;
}

/** A slow task with several subscribers, whose first stream was closed while it was working. */
export interface SeveralSubscribers {
  /** the stream that started it */
  readonly call: Call;
  readonly events: readonly LooseEvent[];
  readonly taskId: string;
  /** the task was working when Assay closed the stream that had started it */
  readonly hungUp: boolean;
  readonly subscriptions: readonly Subscription[];
  /** the rejection of the first subscription */
  readonly refused: Call | undefined;
  /** GetTask after the end of all streams */
  readonly got: Call;
  readonly last: LooseTask | undefined;
  /** milliseconds from the message to the end of the task */
  readonly tookMs: number;
}

/** Undefined for agents that do not stream. */
export const severalSubscribers = observation<SeveralSubscribers | undefined>("a slow task with several subscribers", {
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  make: async (target) => (target.facts.streaming ? watch(target) : undefined),
});

export const slowTaskStreams = observation<SeveralSubscribers>("a slow task and its streams", {
  uses: [severalSubscribers],
  async make(target) {
    const seen = await target.observe(severalSubscribers);
    if (!seen) throw doesNotApply("the card does not claim streaming");
    return seen;
  },
});

/** Repeats it after a fault, because one fault may be a coincidence. */
export const subscribedAgain = observation<SeveralSubscribers | undefined>("a slow task with another subscriber", {
  messages: 1,
  prompts: ["slow"],
  rank: 7,
  uses: [slowTaskStreams],
  async make(target) {
    const seen = await target.observe(slowTaskStreams);
    const whole = seen.last?.state === "TASK_STATE_COMPLETED" && seen.subscriptions.every((each) => each.complete);
    return (seen.hungUp && !whole) || isBurst(seen) ? watch(target) : undefined;
  },
});

/**
 * Returns why a subscription is incomplete, or undefined. A fault of another interface blocks no rule on this one: the
 * rules that need its stream are not examined.
 */
export function incompleteSubscription({ call, elsewhere }: Subscription): Obstacle | undefined {
  const obstacle = incomplete(call);
  return elsewhere && obstacle?.kind.is === "held-up"
    ? skipped("prerequisite", `Assay cannot read the stream over ${call.on.binding}: ${obstacle.message}`)
    : obstacle;
}

/** Events closer together than this arrived at once. */
const burstMs = 250;

/** Returns true if all events arrived at once, long after the message: something held them back. */
export function isBurst({ events, hungUp }: SeveralSubscribers): boolean {
  const [first, last] = [events[0], events.at(-1)];
  if (hungUp || !first || !last || !isEnded(last.state)) return false;
  return last.at - first.at <= burstMs && first.at >= last.at / 2;
}

/** Subscriptions to a working task, also of an agent that allows one stream at a time. */
export const subscribed = observation<readonly Subscription[]>("a subscription", {
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  uses: [slowTaskStreams],
  async make(target) {
    const { subscriptions, refused } = await target.observe(slowTaskStreams);
    const here = subscriptions.filter((each) => !each.elsewhere);
    if (here.length > 0) return here;
    if (!refused) throw tooFast();
    // An agent may serve one stream at a time (§3.5.2), and may be slow to notice that Assay closed one.
    const call = await target.send("slow", { configuration: { returnImmediately: true } });
    const task = taskIn(call);
    if (!task || isAtRest(task.state)) throw tooFast();
    const tried = await openSubscription(target, task.id);
    if (tried.live) {
      await lead(target, task.id, tried.live);
      return [await concluded(target, task.id, tried.live, task.state, false)];
    }
    if (isPassing(tried.refused))
      throw skippedFor(tried.refused, `the agent rejected the request: ${describeReply(tried.refused)}`);
    assertReadable(tried.refused);
    if (await isOverNow(target, task.id)) throw tooFast();
    // Before 1.0 it is an optional method (0.3 §11.1.3).
    if (target.on.dialect !== "1.0")
      throw skipped("not-triggered", `the agent fails on the request: ${describeReply(tried.refused)}`);
    throw heldUp("SUB-001", "SubscribeToTask is rejected for a working task", tried.refused, {
      saw: describeReply(tried.refused),
      want: "a stream that opens with the Task",
      ...(isNotServed(tried.refused) && { code: "operation-not-served" }),
    });
  },
});

const tooFast = (): Obstacle =>
  skipped("prompt", "the slow task ended before Assay could subscribe to it", "prompts.slow in assay.yaml");

/** Starts a slow task with a stream. Returns when its id is known and, if soon, its work has begun. */
export async function beginSlow(target: Target): Promise<{ live: LiveStream; id: string; state: string | undefined }> {
  const live = await target.stream("slow");
  const begun = await live.until((frame) => {
    const event = looseEvent(frame);
    return event === undefined || event.taskId !== undefined || event.is === "message";
  }, target.taskTimeout);
  const event = begun && looseEvent(begun);
  if (event?.taskId === undefined || event.is === "message") {
    const call = await live.hangUp();
    if (event?.is === "message")
      throw skipped("prompt", "the agent answered the slow message without a task", "prompts.slow in assay.yaml");
    assertReadable(call);
    throw skippedFor(call, `the agent rejected the slow message: ${describeReply(call)}`);
  }
  if (!isAtRest(event.state) && event.state !== "TASK_STATE_WORKING") await live.until(isWorking, 250);
  return { live, id: event.taskId, state: live.frames.map((frame) => looseEvent(frame)?.state).findLast(Boolean) };
}

const isWorking = (frame: Arrived): boolean => {
  const state = looseEvent(frame)?.state;
  return state === "TASK_STATE_WORKING" || isAtRest(state);
};

export const tellsEnd = (frame: Arrived): boolean => isEnded(looseEvent(frame)?.state);

async function watch(target: Target): Promise<SeveralSubscribers> {
  const startedAt = target.now();
  const { live, id, state } = await beginSlow(target);
  const others = target.sameVersion.filter(
    ({ on }) => on.binding !== target.on.binding && on.dialect === target.on.dialect,
  );
  // A tenant may be a separate space, so the same tenant is preferred.
  const elsewhere = others.find(({ on }) => on.tenant === target.on.tenant) ?? others[0];
  const places = isAtRest(state) ? [] : [target, target, ...(elsewhere ? [elsewhere] : [])];
  const tried = await Promise.all(
    places.map(async (place) => ({ place, opening: await openSubscription(place, id, howToOpen(place)) })),
  );
  const opened = tried.flatMap(({ place, opening }) => (opening.live ? [{ place, live: opening.live }] : []));
  const isOver = opened.length === 0 && (await isOverNow(target, id));
  // Events that arrived but were not read yet may show the end.
  const hungUp = opened.length > 0 && !(await live.until(tellsEnd, 0)) && !live.frames.some(tellsEnd);
  const call = hungUp || !isOver ? await live.hangUp() : await closing(target, live);
  const first = opened[0]?.live;
  if (first) await lead(target, id, first);
  else if (!isOver) await follow(target, { id });
  const tookMs = target.now() - startedAt;
  const concludedAll = await Promise.all(
    opened.map(async ({ place, live: each }) => ({
      place,
      seen: await concluded(target, id, each, state, place !== target),
      refused: isTurnedAway(each),
    })),
  );
  const refusals = [
    ...tried.flatMap(({ place, opening }) => (opening.refused ? [{ place, call: opening.refused }] : [])),
    ...concludedAll.flatMap(({ place, seen, refused }) => (refused ? [{ place, call: seen.call }] : [])),
  ];
  const taken = concludedAll.filter(({ refused }) => !refused);
  const got = await target.call("GetTask", { id }, { mayBeGone: true });
  return {
    call,
    events: eventsOf(call),
    taskId: id,
    hungUp,
    subscriptions: taken.map(({ seen }) => seen),
    refused:
      isOver || taken.some(({ place }) => place === target)
        ? undefined
        : refusals.find(({ place }) => place === target)?.call,
    got,
    last: taskIn(got),
    tookMs,
  };
}

/** At rest, or gone: an ended task may be purged at once (§3.3.2). */
async function isOverNow(target: Target, id: string): Promise<boolean> {
  const got = await target.call("GetTask", { id }, { mayBeGone: true });
  return isAtRest(taskIn(got)?.state) || matches(got, "TaskNotFound") !== undefined;
}

/**
 * Before 1.0 a subscription sends nothing until the task changes, so waiting for the first event could take until the
 * task has ended.
 */
const howToOpen = ({ on }: Target): How => (on.dialect === "1.0" ? {} : { opensWithin: 500 });

/** It was rejected later than the time limit. */
const isTurnedAway = ({ frames: [first] }: LiveStream): boolean => first !== undefined && first.is !== "result";

/** Waits until the task is at rest, by the stream or else by GetTask. */
async function lead(target: Target, id: string, live: LiveStream): Promise<void> {
  const startedAt = target.now();
  for (let elapsed = 0; !live.ended && elapsed < target.taskTimeout; elapsed = target.now() - startedAt) {
    // Short compared with the task's lifetime, so that `tookMs` is about right.
    if (await live.until(tellsEnd, Math.min(Math.max(500, elapsed / 4), 2_000))) return;
    const got = await target.call("GetTask", { id }, { mayBeGone: true });
    const task = taskIn(got);
    if (isAtRest(task?.state) || matches(got, "TaskNotFound")) return;
  }
  await follow(target, { id });
}

/** Reads the rest of a subscription, within the grace time after the end of its task. */
async function concluded(
  target: Target,
  taskId: string,
  live: LiveStream,
  known: string | undefined,
  elsewhere: boolean,
): Promise<Subscription> {
  const call = await closing(target, live);
  const events = eventsOf(call);
  return {
    taskId,
    call,
    events,
    elsewhere,
    known,
    complete: events.some(({ state }) => isEnded(state)),
    closed: isClosed(call),
    lingered: call.exchange.timing.end - (events.at(-1)?.at ?? 0),
  };
}

import type { Arrived } from "@assay/wire";
import { isNamed } from "../answers/error-names.ts";
import { isPassing } from "../answers/expect-error.ts";
import { brief } from "../answers/loose-json.ts";
import { describeReply, eventsOf, isAtRest, isWaiting, type LooseEvent, looseEvent } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import { assertReadable } from "../answers/unreadable-events.ts";
import { isClosed, streamEnding, wholeEvents } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import { type Finding, notExamined } from "../define/finding.ts";
import type { LiveStream } from "../define/live-stream.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { messageRefused, unanswered } from "./no-task.ts";
import { isSameError, sendToUnknownTask } from "./send-to-unknown-task.ts";

/** A message, streamed to the end of its stream. */
export interface TaskStream {
  readonly call: Call;
  readonly events: readonly LooseEvent[];
  /** the task of the stream, from the first event that names it */
  readonly taskId: string | undefined;
  /** the agent closed the stream; otherwise it stayed open, went silent or was cut off */
  readonly closed: boolean;
}

/** Explains that a stream was still open, with its task working, at the time limit. */
export const neverEnded = ({ call, events }: TaskStream): Finding =>
  notExamined(
    "endless-stream",
    `the stream of a task did not end within ${Math.round(call.exchange.timing.end / 1_000)} s: ${sequenceOf(events)}`,
    "--task-timeout <seconds>",
  );

const eventNames = {
  task: "Task",
  message: "Message",
  status: "statusUpdate",
  artifact: "artifactUpdate",
  unknown: "unknown event",
} as const;

/**
 * Lists the events in order, repeated ones once: "Task TASK_STATE_SUBMITTED, statusUpdate TASK_STATE_WORKING (58
 * times)"
 */
export function sequenceOf(events: readonly Pick<LooseEvent, "is" | "state">[]): string {
  const runs: { readonly name: string; times: number }[] = [];
  for (const { is, state } of events) {
    const name = state === undefined ? eventNames[is] : `${eventNames[is]} ${brief(state, 40)}`;
    const last = runs.at(-1);
    if (last?.name === name) last.times += 1;
    else runs.push({ name, times: 1 });
  }
  const told = runs.map(({ name, times }) => (times === 1 ? name : `${name} (${times} times)`));
  const most = 12;
  return told.length > most ? `${told.slice(0, most).join(", ")}, … (${events.length} events)` : told.join(", ");
}

export const taskStream = observation<TaskStream>("a stream of a task", {
  messages: 1,
  prompts: ["stream"],
  rank: 2,
  make: (target) => untilCutTwice(() => streamed(target)),
});

/**
 * A stream that ends before its task may have been cut by something on the way, which does not happen every time. The
 * second attempt uses the reserve.
 */
export async function untilCutTwice(make: () => Promise<TaskStream>): Promise<TaskStream> {
  const seen = await make();
  return isCutOff(seen) ? make() : seen;
}

const isCutOff = ({ call, events }: TaskStream): boolean =>
  ["closed", "cut"].includes(streamEnding(call)) &&
  !events.some(({ is, state }) => is === "message" || isAtRest(state));

async function streamed(target: Target): Promise<TaskStream> {
  const live = await target.stream("stream");
  // After the end of the task the stream has a grace time to close. While it waits for the user it may stay open
  // (AMB-06). Before that, the time limit of tasks applies.
  const last = await live.until(isLast, target.taskTimeout);
  const waits = last !== undefined && isWaiting(looseEvent(last)?.state);
  const call = last && !waits ? await closing(target, live) : await live.rest(last ? target.quiet : 0);
  const events = eventsOf(call);
  if (events.length === 0) {
    if (!live.ended) throw skipped("unstable", "no event of the stream arrived in time", "--task-timeout <seconds>");
    if (isPassing(call)) throw skippedFor(call, `the agent rejected the request: ${describeReply(call)}`);
    wholeEvents(call);
    await assertTaken(target, call);
    throw unanswered("STREAM-001", call, "SendStreamingMessage opens no stream", "a stream of events");
  }
  return {
    call,
    events,
    taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId,
    closed: isClosed(call),
  };
}

/** If the message is rejected without a stream too, the rejection says nothing about streaming. */
async function assertTaken(target: Target, call: Call): Promise<void> {
  if (!isNamed(call, "UnsupportedOperation")) return;
  if (isSameError(call, await sendToUnknownTask(target, {}))) throw messageRefused(call);
}

/** Reads a finished stream until it closes, or should have. */
export const closing = (target: Target, live: LiveStream): Promise<Call> =>
  target.due(
    "close",
    (withinMs) => live.rest(withinMs),
    // A stream that was cut off has ended, too.
    (call) => ["closed", "cut"].includes(streamEnding(call)),
  );

/** Returns true for the last event: its task is at rest, or it is a message, after which nothing follows. */
export const isLast = (frame: Arrived): boolean => {
  const event = looseEvent(frame);
  return event === undefined || event.is === "message" || isAtRest(event.state);
};

/** A stream that opens with a message instead of a task. */
interface DirectStream {
  readonly call: Call;
  readonly events: readonly LooseEvent[];
  /** the agent closed it; otherwise it stayed open for the whole grace time */
  readonly closed: boolean;
}

export const directStream = observation<DirectStream>("a stream of a direct message", {
  messages: 1,
  rank: 6,
  uses: [taskStream],
  async make(target) {
    const before = await target.observe(taskStream);
    if (before.events[0]?.is === "message") return before;
    if (!target.hasPrompt("message"))
      throw skipped(
        "prompt",
        "no known message makes the agent answer without a task",
        "prompts.message in assay.yaml",
      );
    const live = await target.stream("message");
    const first = await live.until(() => true, target.taskTimeout);
    const event = first && looseEvent(first);
    if (event?.is !== "message") {
      const call = await live.hangUp();
      if (event) throw doesNotApply("the agent returned a task");
      assertReadable(call);
      throw skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
    }
    const call = await closing(target, live);
    return { call, events: eventsOf(call), closed: isClosed(call) };
  },
});

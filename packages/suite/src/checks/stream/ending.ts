import type { JsonObject } from "@assay/protocol";
import { asObject, brief, shown } from "../../answers/loose-json.ts";
import { errorOf, eventsOf, isAtRest, isEnded, looseEvent, taskIn } from "../../answers/reading.ts";
import { assertNotCut, wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { judgeEach } from "../../define/judge-each.ts";
import { heldUp } from "../../define/obstacle.ts";
import type { Target } from "../../define/target.ts";
import { type CanceledTask, type Cancelled, canceledTask } from "../../observations/cancelled.ts";
import { taskAskingBack } from "../../observations/list-pages.ts";
import { follow } from "../../observations/sent-message.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";
import { neverEnded, type TaskStream, taskStream } from "../../observations/task-stream.ts";

export const closesAtTheEnd = activeCheck("STREAM-005", {
  uses: { taskStream },
  also: { streamReturningImmediately, canceledTask },
  judge: ({ taskStream: seen, streamReturningImmediately: other, canceledTask: canceled }) =>
    judgeEach(
      [
        () => judgeClosing(seen),
        ...(other?.failing ? [() => judgeClosing(other.failing!)] : []),
        ...(canceled?.stream && isCanceled(canceled) ? [() => judgeCanceled(canceled, canceled.stream!)] : []),
      ],
      (one) => one(),
    ),
});

/** Reads the state with GetTask, so it does not depend on the stream. */
const isCanceled = ({ settled }: CanceledTask): boolean => taskIn(settled)?.state === "TASK_STATE_CANCELED";

function judgeCanceled({ settled, cancel }: CanceledTask, stream: NonNullable<Cancelled["stream"]>): Finding {
  assertNotCut(stream.call);
  if (stream.closed) return holds();
  return broken("the agent does not close the stream after its task is canceled", {
    saw: `no end of the stream after ${brief(stream.events.at(-1)?.json)}`,
    want: "the end of the stream",
    at: [stream.call, cancel, settled],
  });
}

function judgeClosing(seen: TaskStream): Finding {
  const { call, closed } = seen;
  const events = wholeEvents(call);
  assertNotCut(call);
  if (events[0]?.is === "message") return notApplicable("the agent responded with a message");
  const last = events.at(-1);
  if (!events.some(({ state }) => isEnded(state))) {
    return closed || events.some(({ state }) => isAtRest(state))
      ? notApplicable("the stream did not report the end of the task")
      : neverEnded(seen);
  }
  if (!closed) {
    return broken("the agent does not close the stream after its task has ended", {
      saw: `no end of the stream after ${brief(last?.json)}`,
      want: "the end of the stream",
      at: call,
    });
  }
  const lingered = call.exchange.timing.end - (last?.at ?? 0);
  return lingered > 5_000 ? holds("the stream closed more than five seconds after the end of the task") : holds();
}

export const tellsTheEnd = activeCheck("STREAM-006", {
  uses: { taskStream },
  also: { streamReturningImmediately },
  judge({ taskStream: seen, streamReturningImmediately: other }, target) {
    // An agent may report a failing task by an error instead of an event.
    const { failing } = other ?? {};
    const isTold = failing && failing.events.length > 0 && !errorOf(failing.call);
    return judgeEach([seen, ...(isTold ? [failing] : [])], (stream) => judgeTold(stream, target));
  },
});

const untold = "the stream closes without reporting how the task ended";

/** Throws if an ordinary stream closes without the end of its task: other streams then show nothing more. */
export function assertTellsTheEnd({ call, closed }: TaskStream): void {
  const isTold = wholeEvents(call).some(({ is, state }) => is === "message" || isAtRest(state));
  if (closed && !isTold) throw heldUp("STREAM-006", untold, call);
}

async function judgeTold(seen: TaskStream, target: Target): Promise<Finding> {
  const { call, closed, taskId } = seen;
  const events = wholeEvents(call);
  if (events[0]?.is === "message") return notApplicable("the agent responded with a message");
  // STREAM-007 judges events after the end.
  const told = events.filter((event) => event.state !== undefined);
  const state = (told.findLast((event) => isEnded(event.state)) ?? told.at(-1))?.state;
  if (!isAtRest(state)) {
    if (!closed) return neverEnded(seen);
    return broken(untold, {
      saw: `the last event is ${brief(events.at(-1)?.json)}`,
      want: "a status update with a terminal or interrupted state",
      at: call,
    });
  }
  if (!isEnded(state) || taskId === undefined) return holds();
  const { last, got } = await follow(target, { id: taskId });
  if (!last || last.state === state) return holds();
  return broken("the stream ends with a different state than GetTask returns", {
    saw: `${state} in the stream; ${last.state} from GetTask`,
    want: "the same state",
    at: [call, got],
  });
}

export const nothingAfterTheEnd = passiveCheck("STREAM-007", {
  shownBy: [taskStream],
  judge(call) {
    const events = eventsOf(call);
    const end = events.findIndex(({ is, state }) => is === "status" && isEnded(state));
    if (end < 0) return undefined;
    const want = "the end of the stream, or a final Task";
    const after = events.slice(end + 1);
    const status = after.find(({ is }) => is === "status");
    if (status) {
      return broken("the stream has a status update after the one that ended the task", {
        ...shown(status.json),
        want,
      });
    }
    const artifact = after.find(({ is }) => is === "artifact");
    if (artifact) {
      const details = { ...shown(artifact.json), want };
      return breach(
        "artifact-after-end",
        "the stream has an artifact update after the status that ended the task",
        details,
      );
    }
    return holds();
  },
});

export const closingSnapshot = activeCheck("STREAM-024", {
  uses: { taskStream },
  async judge({ taskStream: { call, taskId } }, target) {
    const events = wholeEvents(call);
    assertNotCut(call);
    const last = events.at(-1);
    if (!events.some(({ state }) => isEnded(state)))
      return notApplicable("the stream did not report the end of the task");
    if (events.length < 2 || last?.is !== "task" || taskId === undefined) return holds();
    const got = await target.call("GetTask", { id: taskId });
    const task = taskIn(got);
    if (!task || (last.taskId === task.id && last.state === task.state)) return holds();
    return breach("stale-snapshot", "the last Task of the stream does not match the ended task", {
      saw: `${last.taskId} in ${last.state}`,
      want: `${task.id} in ${task.state}`,
      at: [call, got],
    });
  },
});

export const hearsTheQuestion = activeCheck("STREAM-023", {
  uses: { taskAskingBack },
  judge({ taskAskingBack: { stream, task } }) {
    if (!stream) return notApplicable("the card does not declare streaming");
    const { closed, call } = stream;
    const events = wholeEvents(call);
    const want = "the event with TASK_STATE_INPUT_REQUIRED, and the end of the stream";
    if (!events.some(({ state }) => state === task.state)) {
      return broken("the stream closes without reporting that the agent waits for the user", {
        saw: `the last event is ${brief(events.at(-1)?.json)}`,
        want,
        at: call,
      });
    }
    if (closed) return holds();
    assertNotCut(call);
    return breach("open-while-waiting", "the agent does not close the stream while it waits for the user", {
      want,
      at: call,
    });
  },
});

/** A frame of a stream: the original and the translated event. */
interface Told {
  readonly is: "task" | "message" | "status" | "artifact" | "unknown";
  readonly state: string | undefined;
  /** the event without the wrapper of HTTP+JSON and gRPC */
  readonly event: JsonObject;
}

/** Before 1.0, each frame has one event, so both views have the same frames. */
function toldIn({ reply, said, on }: Call): readonly Told[] {
  if (reply.is !== "stream" || said.is !== "stream" || reply.events.length !== said.events.length) return [];
  return said.events.flatMap((frame, index): Told[] => {
    const event = looseEvent(reply.events[index]!);
    const json = frame.is === "result" ? asObject(frame.json) : undefined;
    if (!event || !json) return [];
    const wrapped = on.binding === "JSONRPC" ? json : asObject(Object.values(json)[0]);
    return [{ is: event.is, state: event.state, event: wrapped ?? json }];
  });
}

export const endsWithFinal = passiveCheck("V03-STREAM-004", {
  shownBy: [taskStream],
  otherwise: "no stream reported the end of a task in a status update",
  judge(call) {
    const end = toldIn(call).find(({ is, state }) => is === "status" && isEnded(state));
    if (!end) return undefined;
    if (end.event["final"] === true) return holds();
    return broken("the status update that ends a task does not have final: true", {
      ...shown(end.event, 240),
      want: "final: true",
    });
  },
});

export const nothingAfterFinal = passiveCheck("V03-STREAM-005", {
  shownBy: [taskStream],
  otherwise: "no stream had an event with final: true",
  judge(call) {
    const told = toldIn(call);
    const final = told.findIndex(({ event }) => event["final"] === true);
    if (final < 0) return undefined;
    const after = told[final + 1];
    if (!after) return holds();
    const isSnapshot = after.is === "task" && isEnded(after.state) && told.length === final + 2;
    return breach(
      isSnapshot ? "snapshot-after-final" : "broken",
      "the stream has an event after the one with final: true",
      {
        ...shown(after.event, 240),
        want: "the end of the stream",
      },
    );
  },
});

export const saysWhetherFinal = passiveCheck("V03-STREAM-006", {
  // Protobuf omits false.
  bindings: ["JSONRPC"],
  shownBy: [taskStream],
  otherwise: "no stream had a status update",
  judge(call) {
    const updates = toldIn(call).filter(({ is }) => is === "status");
    return updates.length === 0 ? undefined : updates.map(({ event }) => ofMember(event, call));
  },
});

function ofMember(event: JsonObject, at: Call): Finding {
  if (typeof event["final"] === "boolean") return holds();
  const found = event["final"] === undefined ? "no final" : "a final that is not a boolean";
  return broken(`a status update has ${found}`, { ...shown(event, 240), want: "final: true or false", at });
}

import { brief, isAtRest, isEnded, taskIn } from "../../answers/reading.ts";
import { assertNotCut, wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { judgeEach } from "../../define/judge-each.ts";
import { type CanceledTask, type Cancelled, canceledTask } from "../../observations/cancelled.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";
import { neverEnded, type TaskStream, taskStream } from "../../observations/task-stream.ts";

export const closesAtTheEnd = activeCheck({
  id: "STREAM-005",
  title: "a stream closes when its task has ended",
  remedy: "Close the stream right behind the event that reports COMPLETED, FAILED, CANCELED or REJECTED.",
  uses: { taskStream },
  also: { streamReturningImmediately, canceledTask },
  judge: ({ taskStream: seen, streamReturningImmediately: other, canceledTask: canceled }) =>
    judgeEach(
      [
        () => judge(seen),
        ...(other?.failing ? [() => judge(other.failing!)] : []),
        ...(canceled?.stream && isCanceled(canceled) ? [() => judgeCanceled(canceled, canceled.stream!)] : []),
      ],
      (one) => one(),
    ),
});

/** That a task has ended can be read, whether or not its stream tells of it. */
const isCanceled = ({ settled }: CanceledTask): boolean => taskIn(settled)?.state === "TASK_STATE_CANCELED";

function judgeCanceled({ settled, cancel }: CanceledTask, stream: NonNullable<Cancelled["stream"]>): Finding {
  assertNotCut(stream.call);
  if (stream.closed) return holds();
  return broken("the stream stays open after its task was canceled", {
    saw: `no end of the stream behind ${brief(stream.events.at(-1)?.json)}`,
    want: "the end of the stream",
    at: [stream.call, cancel, settled],
  });
}

function judge(seen: TaskStream): Finding {
  const { call, closed } = seen;
  const events = wholeEvents(call);
  assertNotCut(call);
  if (events[0]?.is === "message") return notApplicable("the agent answered with a message");
  const last = events.at(-1);
  if (!events.some(({ state }) => isEnded(state))) {
    return closed || events.some(({ state }) => isAtRest(state))
      ? notApplicable("the stream did not tell of the end of the task")
      : neverEnded(seen);
  }
  if (!closed) {
    return broken("the stream stays open after its task has ended", {
      saw: `no end of the stream behind ${brief(last?.json)}`,
      want: "the end of the stream",
      at: call,
    });
  }
  const lingered = call.exchange.timing.end - (last?.at ?? 0);
  return lingered > 5_000 ? holds("the stream closed more than five seconds after the end of the task") : holds();
}

import { activeCheck } from "../../check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../finding.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";
import { brief, isEnded } from "../../reading.ts";

export const closesAtTheEnd = activeCheck({
  id: "STREAM-005",
  title: "a stream closes when its task has ended",
  remedy: "Close the stream right behind the event that reports COMPLETED, FAILED, CANCELED or REJECTED.",
  uses: { taskStream },
  also: { streamReturningImmediately },
  judge: ({ taskStream: seen, streamReturningImmediately: other }) => [
    judge(seen),
    ...(other?.failing ? [judge(other.failing)] : []),
  ],
});

function judge({ call, events, closed }: TaskStream): Finding {
  if (events[0]?.is === "message") return notApplicable("the agent answered with a message");
  const last = events.at(-1);
  if (!events.some(({ state }) => isEnded(state))) {
    return closed
      ? notApplicable("the stream did not tell of the end of the task")
      : notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
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

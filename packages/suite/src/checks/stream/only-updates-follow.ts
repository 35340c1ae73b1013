import { eventsOf, isEnded, type LooseEvent, shown } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { subscribed } from "../../observations/several-subscribers.ts";
import { taskStream } from "../../observations/task-stream.ts";

/** What follows the Task that a stream opens with. */
function judgeFollowers(call: Call): readonly Finding[] | undefined {
  const events = eventsOf(call);
  const [first, ...rest] = events;
  if (first?.is !== "task" || rest.length === 0) return undefined;
  const want = "statusUpdate and artifactUpdate events of the task the stream opened with";
  const details = (event: LooseEvent) => ({ ...shown(event.json), want, at: call });
  const findings = rest.flatMap((event, index): Finding[] => {
    if (event.is === "message") return [broken("a stream of a task has an event with message", details(event))];
    if (event.is === "task") return judgeSnapshot(event, events.slice(0, index + 1), index === rest.length - 1);
    if (event.is !== "unknown" && event.taskId !== undefined && event.taskId !== first.taskId) {
      return call.operation === "SubscribeToTask"
        ? [broken("a subscription tells of another task", details(event))]
        : [];
    }
    return [];
  });
  return findings.length ? findings : [holds()];

  /** A Task may come once more, as a snapshot (AMB-07): the same task, no older than what was told before. */
  function judgeSnapshot(event: LooseEvent, before: readonly LooseEvent[], isLast: boolean): Finding[] {
    if (event.taskId !== first?.taskId) return [broken("a further Task of a stream is another task", details(event))];
    if (
      goesBack(
        before.map(({ state }) => state),
        event.state,
      )
    )
      return [broken("a further Task of a stream shows an earlier state than was told before it", details(event))];
    return isLast ? [] : [breach("late-snapshot", "a Task comes again in the middle of a stream", details(event))];
  }
}

function goesBack(before: readonly (string | undefined)[], now: string | undefined): boolean {
  const ended = before.find(isEnded);
  if (ended !== undefined) return now !== ended;
  return now === "TASK_STATE_SUBMITTED" && before.some((state) => state !== undefined && state !== now);
}

const remedy =
  "Behind the opening Task send only statusUpdate and artifactUpdate events of that task; what the agent says belongs into status.message.";

export const followerChecks = [
  passiveCheck({
    id: "STREAM-004",
    title: "only status and artifact updates follow the Task in a stream",
    remedy,
    shownBy: [taskStream],
    judge: (call) => (call.operation === "SendStreamingMessage" ? judgeFollowers(call) : undefined),
  }),
  passiveCheck({
    id: "SUB-010",
    title: "a subscription tells of its task alone, in status and artifact updates",
    remedy,
    shownBy: [subscribed],
    judge: (call) => (call.operation === "SubscribeToTask" ? judgeFollowers(call) : undefined),
  }),
];

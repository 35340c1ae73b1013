import { brief, errorOf, isAtRest, isEnded } from "../../answers/reading.ts";
import { wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { judgeEach } from "../../define/judge-each.ts";
import type { Target } from "../../define/target.ts";
import { follow } from "../../observations/sent-message.ts";
import { streamReturningImmediately } from "../../observations/stream-returning-immediately.ts";
import { neverEnded, type TaskStream, taskStream } from "../../observations/task-stream.ts";

export const tellsTheEnd = activeCheck({
  id: "STREAM-006",
  title: "a stream has told how its task ended before it closes",
  remedy: "Send a statusUpdate with the final state as the last update, and close the stream behind it.",
  uses: { taskStream },
  also: { streamReturningImmediately },
  judge({ taskStream: seen, streamReturningImmediately: other }, target) {
    // A task that breaks down may well be told of by an error.
    const { failing } = other ?? {};
    const isTold = failing && failing.events.length > 0 && !errorOf(failing.call);
    return judgeEach([seen, ...(isTold ? [failing] : [])], (stream) => judge(stream, target));
  },
});

async function judge(seen: TaskStream, target: Target): Promise<Finding> {
  const { call, closed, taskId } = seen;
  const events = wholeEvents(call);
  if (events[0]?.is === "message") return notApplicable("the agent answered with a message");
  // What comes behind the end is another rule (STREAM-007).
  const told = events.filter((event) => event.state !== undefined);
  const state = (told.findLast((event) => isEnded(event.state)) ?? told.at(-1))?.state;
  if (!isAtRest(state)) {
    if (!closed) return neverEnded(seen);
    return broken("the stream closes without having told how the task ended", {
      saw: `the last event is ${brief(events.at(-1)?.json)}`,
      want: "a status update with a terminal or interrupted state",
      at: call,
    });
  }
  if (!isEnded(state) || taskId === undefined) return holds();
  const { last, got } = await follow(target, { id: taskId });
  if (!last || last.state === state) return holds();
  return broken("the state a stream ends with is not the one that GetTask shows", {
    saw: `${state} in the stream, ${last.state} from GetTask`,
    want: "the same state",
    at: [call, got],
  });
}

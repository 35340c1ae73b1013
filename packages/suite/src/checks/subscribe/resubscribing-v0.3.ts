import { brief, describeReply, errorOf, isEnded, shown } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { assertNotCut, isClosed, wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, holds, notExamined } from "../../define/finding.ts";
import { endedTask, openAgain } from "../../observations/ended-task.ts";
import {
  type SeveralSubscribers,
  type Subscription,
  slowTaskStreams,
  subscribedAgain,
} from "../../observations/several-subscribers.ts";
import { slowestRefusalMs } from "../../observations/subscribing.ts";

const endedEitherWay = activeCheck({
  id: "V03-SUB-001",
  title: "resubscribing to a task that has ended is refused, or shows the task and closes",
  remedy: "Answer tasks/resubscribe for an ended task with an error, or with the Task alone, and close the stream.",
  uses: { endedTask },
  async judge({ endedTask: { task, reopened } }, target) {
    if (reopened) return notExamined("not-triggered", openAgain);
    const patience = Math.max(target.grace, slowestRefusalMs);
    // Who hangs up first must be the reader: a stream that is cut off looks like one that has ended.
    const live = await target.open("SubscribeToTask", { id: task.id }, { timeout: 4 * patience });
    const first = await live.peek(target.grace);
    const call = await live.rest(first ? target.grace : 0);
    if (errorOf(call)) return holds();
    const details = { saw: describeReply(call), want: "an error, or the Task and the end of the stream", at: call };
    if (call.reply.is === "failure") return crashed("resubscribing to an ended task gets no answer", details);
    if (call.reply.is !== "stream")
      return breach("answer-without-stream", "resubscribing to an ended task is answered without a stream", details);
    const events = wholeEvents(call);
    assertNotCut(call);
    if (!isClosed(call)) return broken("the stream of a task that has ended stays open", details);
    const other = events.find(({ taskId, state }) =>
      taskId !== undefined && taskId !== task.id ? true : state !== undefined && !isEnded(state),
    );
    if (!other) return holds();
    return broken("resubscribing to an ended task tells of something else than its end", {
      ...details,
      ...shown(other.json),
    });
  },
});

const goesOn = activeCheck({
  id: "V03-SUB-002",
  title: "a client that comes back to a task at work hears how it goes on",
  remedy: "Attach the stream of tasks/resubscribe to the events of the task, and send them until it has ended.",
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: seen, subscribedAgain: again }) {
    const { refused, last, got } = seen;
    const [first] = ofThisBinding(seen);
    if (!first) {
      if (!refused) return notExamined("prompt", "the slow task was over too soon", "prompts.slow in assay.yaml");
      assertReadable(refused);
      return breach("subscription-refused", "tasks/resubscribe is refused for a task at work", {
        saw: describeReply(refused),
        want: "a stream",
        at: refused,
      });
    }
    // What happened once may be chance: a task may end in the moment in which we hang up on its other stream.
    if ([seen, again].some((one) => one && ofThisBinding(one).some(({ complete }) => complete))) return holds();
    if (!isEnded(last?.state))
      return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
    // Python 0.3 loses the end now and then, where several streams read it: that is no verdict to rely on.
    if ([seen, again].some((one) => one && ofThisBinding(one).some(tellsOfWork)))
      return notExamined("unstable", "the stream told how the task went on, and closed before its end");
    for (const one of [seen, again]) for (const { call } of one ? ofThisBinding(one) : []) wholeEvents(call);
    return broken("a stream opened on a task at work does not tell how it goes on", {
      saw: `${first.events.length} events, the last ${brief(first.events.at(-1)?.json)}`,
      want: "the events of the task until its end",
      at: [first.call, got],
    });
  },
});

const tellsOfWork = ({ events }: Subscription): boolean =>
  events.some(({ is }) => is === "status" || is === "artifact");

const ofThisBinding = ({ subscriptions }: SeveralSubscribers): readonly Subscription[] =>
  subscriptions.filter(({ elsewhere }) => !elsewhere);

export const resubscribeChecks: readonly Check[] = [endedEitherWay, goesOn];

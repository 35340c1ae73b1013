import { asObjects, brief, shown } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, eventsOf, isEnded, looseTask, taskIn } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { assertNotCut, incomplete, isClosed, wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { authRequired } from "../../observations/authorisation.ts";
import { endedTask, openAgain } from "../../observations/ended-task.ts";
import { taskAskingBack } from "../../observations/list-pages.ts";
import { slowestRefusalMs } from "../../observations/sending.ts";
import {
  type SeveralSubscribers,
  type Subscription,
  slowTaskStreams,
  subscribed,
  subscribedAgain,
} from "../../observations/several-subscribers.ts";
import { assembled, stored, whole } from "../stream/assembled.ts";

export const opensWithSnapshot = activeCheck({
  id: "SUB-001",
  uses: { subscribed },
  judge({ subscribed: streams }) {
    for (const each of streams) {
      const fault = faultOfOpening(each);
      if (fault) return fault;
    }
    const { call } = streams[0]!;
    // The text says POST, the .proto GET (AMB-04).
    if (call.on.binding === "HTTP+JSON" && call.exchange.http.request.method === "GET") {
      return breach("subscribe-by-get", "SubscribeToTask is served with GET alone", {
        saw: "GET",
        want: "POST, and better both",
        at: call,
      });
    }
    return holds();
  },
});

function faultOfOpening({ events: [first], call, taskId, known }: Subscription): Finding | undefined {
  const want = `an event with the Task ${taskId}`;
  if (!first) wholeEvents(call);
  if (!first) return broken("a subscription tells nothing", answerOf(call, want));
  if (first.is !== "task") {
    // What is no StreamResponse at all breaks another rule (STREAM-008).
    if (first.is === "unknown") return notExamined("not-triggered", "the first event could not be read");
    return broken("a subscription does not open with the Task", { ...shown(first.json), want, at: call });
  }
  if (first.taskId !== taskId)
    return broken("a subscription opens with another task than was asked for", {
      ...shown(first.json),
      want,
      at: call,
    });
  if (first.state === "TASK_STATE_SUBMITTED" && known === "TASK_STATE_WORKING") {
    return broken("the Task that a subscription opens with is older than what was told before", {
      saw: first.state,
      want: `${known}, or a later state`,
      at: call,
    });
  }
  return undefined;
}

export const subscriptionCloses = activeCheck({
  id: "SUB-002",
  uses: { subscribed },
  judge({ subscribed: streams }) {
    const told = streams.filter(({ complete }) => complete);
    for (const { call } of told) assertNotCut(call);
    if (told.length === 0) {
      const cut = streams.find(({ call }) => incomplete(call));
      if (cut) throw incomplete(cut.call);
      return notExamined("not-triggered", "no subscription told of the end of the task");
    }
    const open = told.find(({ closed }) => !closed);
    if (open) {
      return broken("a subscription stays open after its task has ended", {
        saw: `no end of the stream behind ${brief(open.events.at(-1)?.json)}`,
        want: "the end of the stream",
        at: open.call,
      });
    }
    const late = told.some(({ lingered }) => lingered > 5_000);
    return late ? holds("a subscription closed more than five seconds after the end of the task") : holds();
  },
});

export const waitingTasksToo = activeCheck({
  id: "SUB-006",
  uses: { taskAskingBack },
  also: { authRequired },
  judge({ taskAskingBack: { subscription, task }, authRequired: login }) {
    if (!subscription) return notApplicable("the card does not claim streaming");
    const finding = judgeWaiting(task.id, subscription, "INPUT_REQUIRED");
    if (finding.is !== "holds" || !login?.subscription) return finding;
    return judgeWaiting(login.task.id, login.subscription, "AUTH_REQUIRED");
  },
});

function judgeWaiting(id: string, subscription: Call, state: string): Finding {
  const [first] = eventsOf(subscription);
  if (first?.is === "task" && first.taskId === id) return holds();
  if (subscription.reply.is === "failure")
    return notExamined("unstable", `the subscription got no answer: ${describeReply(subscription)}`);
  if (!first) wholeEvents(subscription);
  // What a subscription opens with is another rule (SUB-001).
  if (subscription.reply.is === "stream" && !errorOf(subscription))
    return notExamined("not-triggered", "the subscription did not open with the task");
  return broken(`a task in ${state} cannot be subscribed to`, {
    saw: first ? brief(first.json) : describeReply(subscription),
    want: "a stream that opens with the Task",
    at: subscription,
  });
}

export const nothingIsLost = activeCheck({
  id: "SUB-007",
  // Any artifact will do that is made while a subscriber listens.
  requires: ["streaming", "scenario:long"],
  uses: { subscribed },
  async judge({ subscribed: streams }, target) {
    const readable = streams.find(
      ({ complete, events, call }) =>
        complete && events[0]?.is === "task" && events.every(({ is }) => is !== "unknown") && !incomplete(call),
    );
    const cut = streams.find(({ call }) => incomplete(call));
    if (!readable && cut) throw incomplete(cut.call);
    if (!readable) return notExamined("not-triggered", "no subscription could be read from its Task to its end");
    const { events, call, taskId } = readable;
    const got = await target.call("GetTask", { id: taskId });
    const task = taskIn(got);
    if (!task) return notExamined("not-triggered", "GetTask does not show the task any more");
    const snapshot = looseTask(events[0]?.content) ?? task;
    const sum = assembled(events, snapshot.artifacts);
    // A closing Task (§11.7) may bring what no update did.
    const closing = stored(asObjects(events.slice(1).findLast(({ is }) => is === "task")?.content["artifacts"]));
    const want = "what GetTask shows";
    for (const [id, pieces] of stored(task.artifacts)) {
      if ([sum, closing].some((told) => whole(told.get(id)) === whole(pieces))) continue;
      return broken("a subscription misses an artifact, or part of one, that GetTask shows", {
        saw: sum.has(id) ? brief(sum.get(id)) : `no artifact ${brief(id)}`,
        want: `${want}: ${brief(pieces)}`,
        at: [call, got],
      });
    }
    const state = events.findLast((event) => event.state !== undefined)?.state;
    if (isEnded(state) && state !== task.state) {
      const saw = `${state} on the stream, ${task.state} from GetTask`;
      return broken("the state a subscription ends with is not the one that GetTask shows", {
        saw,
        want,
        at: [call, got],
      });
    }
    return holds();
  },
});

const endedEitherWay = activeCheck({
  id: "V03-SUB-001",
  uses: { endedTask },
  async judge({ endedTask: { task, reopened } }, target) {
    if (reopened) return notExamined("not-triggered", openAgain);
    const patience = Math.max(target.grace, slowestRefusalMs);
    // Who hangs up first must be the reader: a stream that is cut off looks like one that has ended.
    const live = await target.open("SubscribeToTask", { id: task.id }, { timeout: 4 * patience });
    const first = await live.peek(target.grace);
    const call = await live.rest(first ? target.grace : 0);
    if (errorOf(call)) return holds();
    const details = answerOf(call, "an error, or the Task and the end of the stream");
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
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: seen, subscribedAgain: again }) {
    const { refused, last, got } = seen;
    const [first] = ofThisBinding(seen);
    if (!first) {
      if (!refused) return notExamined("prompt", "the slow task was over too soon", "prompts.slow in assay.yaml");
      assertReadable(refused);
      return breach(
        "subscription-refused",
        "tasks/resubscribe is refused for a task at work",
        answerOf(refused, "a stream"),
      );
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

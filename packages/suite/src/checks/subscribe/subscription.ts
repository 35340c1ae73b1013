import { asObjects, brief, shown } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, eventsOf, isEnded, looseTask, taskIn } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { assertNotCut, incomplete, isClosed, wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
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

export const opensWithSnapshot = activeCheck("SUB-001", {
  uses: { subscribed },
  judge({ subscribed: streams }) {
    for (const each of streams) {
      const fault = faultOfOpening(each);
      if (fault) return fault;
    }
    const { call } = streams[0]!;
    // The text says POST, the .proto says GET (AMB-04).
    if (call.on.binding === "HTTP+JSON" && call.exchange.http.request.method === "GET") {
      return breach("subscribe-by-get", "the agent serves SubscribeToTask with GET only", {
        saw: "GET",
        want: "POST, or better both",
        at: call,
      });
    }
    return holds();
  },
});

function faultOfOpening({ events: [first], call, taskId, known }: Subscription): Finding | undefined {
  const want = `an event with the Task ${taskId}`;
  if (!first) wholeEvents(call);
  if (!first) return broken("SubscribeToTask opens a stream without events", answerOf(call, want));
  if (first.is !== "task") {
    // STREAM-008 judges an event that is not a StreamResponse.
    if (first.is === "unknown") return notExamined("not-triggered", "the first event is unreadable");
    return breach("opens-without-task", "the first event of SubscribeToTask is not the Task", {
      ...shown(first.json),
      want,
      at: call,
    });
  }
  if (first.taskId !== taskId)
    return broken("SubscribeToTask opens with a different task than requested", {
      ...shown(first.json),
      want,
      at: call,
    });
  if (first.state === "TASK_STATE_SUBMITTED" && known === "TASK_STATE_WORKING") {
    return broken("SubscribeToTask opens with an older state of the Task than already reported", {
      saw: first.state,
      want: `${known}, or a later state`,
      at: call,
    });
  }
  return undefined;
}

export const subscriptionCloses = activeCheck("SUB-002", {
  uses: { subscribed },
  judge({ subscribed: streams }) {
    const told = streams.filter(({ complete }) => complete);
    for (const { call } of told) assertNotCut(call);
    if (told.length === 0) {
      const cut = streams.find(({ call }) => incomplete(call));
      if (cut) throw incomplete(cut.call);
      return notExamined("not-triggered", "no subscription reported the end of the task");
    }
    const open = told.find(({ closed }) => !closed);
    if (open) {
      return broken("the agent does not close a subscription after its task has ended", {
        saw: `no end of the stream after ${brief(open.events.at(-1)?.json)}`,
        want: "the end of the stream",
        at: open.call,
      });
    }
    const late = told.some(({ lingered }) => lingered > 5_000);
    return late ? holds("a subscription closed more than five seconds after the end of the task") : holds();
  },
});

export const waitingTasksToo = activeCheck("SUB-006", {
  uses: { taskAskingBack },
  also: { authRequired },
  judge({ taskAskingBack: { subscription, task }, authRequired: login }) {
    if (!subscription) return notApplicable("the card does not declare streaming");
    const finding = judgeWaiting(task.id, subscription, "INPUT_REQUIRED");
    if (finding.is !== "holds" || !login?.subscription) return finding;
    return judgeWaiting(login.task.id, login.subscription, "AUTH_REQUIRED");
  },
});

function judgeWaiting(id: string, subscription: Call, state: string): Finding {
  const [first] = eventsOf(subscription);
  if (first?.is === "task" && first.taskId === id) return holds();
  if (subscription.reply.is === "failure")
    return notExamined("unstable", `the subscription got no response: ${describeReply(subscription)}`);
  if (!first) wholeEvents(subscription);
  if (first && first.is !== "unknown")
    return breach("opens-without-task", `a subscription to a task in ${state} does not open with the Task`, {
      ...shown(first.json),
      want: `an event with the Task ${id}`,
      at: subscription,
    });
  // STREAM-008 judges an event that is not a StreamResponse.
  if (subscription.reply.is === "stream" && !errorOf(subscription))
    return notExamined("not-triggered", "the first event is unreadable");
  return broken(`SubscribeToTask fails for a task in ${state}`, {
    saw: first ? brief(first.json) : describeReply(subscription),
    want: "a stream that opens with the Task",
    at: subscription,
  });
}

export const nothingIsLost = activeCheck("SUB-007", {
  // Any artifact created during the subscription is enough.
  requires: ["streaming", "scenario:long"],
  uses: { subscribed },
  async judge({ subscribed: streams }, target) {
    const readable = streams.find(
      ({ complete, events, call }) =>
        complete && events[0]?.is === "task" && events.every(({ is }) => is !== "unknown") && !incomplete(call),
    );
    const cut = streams.find(({ call }) => incomplete(call));
    if (!readable && cut) throw incomplete(cut.call);
    if (!readable) return notExamined("not-triggered", "no subscription was readable from its Task to its end");
    const { events, call, taskId } = readable;
    const got = await target.call("GetTask", { id: taskId });
    const task = taskIn(got);
    if (!task) return notExamined("not-triggered", "GetTask no longer returns the task");
    const snapshot = looseTask(events[0]?.content) ?? task;
    const sum = assembled(events, snapshot.artifacts);
    // A closing Task (§11.7) may contain artifacts that no update had.
    const closing = stored(asObjects(events.slice(1).findLast(({ is }) => is === "task")?.content["artifacts"]));
    const want = "the artifacts of GetTask";
    for (const [id, pieces] of stored(task.artifacts)) {
      if ([sum, closing].some((told) => whole(told.get(id)) === whole(pieces))) continue;
      return broken("a subscription lacks an artifact, or part of one, that GetTask returns", {
        saw: sum.has(id) ? brief(sum.get(id)) : `no artifact ${brief(id)}`,
        want: `${want}: ${brief(pieces)}`,
        at: [call, got],
      });
    }
    const state = events.findLast((event) => event.state !== undefined)?.state;
    if (isEnded(state) && state !== task.state) {
      const saw = `${state} on the stream; ${task.state} from GetTask`;
      return broken("a subscription ends with a different state than GetTask returns", {
        saw,
        want,
        at: [call, got],
      });
    }
    return holds();
  },
});

export const endedEitherWay = activeCheck("V03-SUB-001", {
  uses: { endedTask },
  async judge({ endedTask: { task, reopened } }, target) {
    if (reopened) return notExamined("not-triggered", openAgain);
    const patience = Math.max(target.grace, slowestRefusalMs);
    // The reader must close the connection first, because a cut stream looks like a stream that the agent ended.
    const live = await target.open("SubscribeToTask", { id: task.id }, { timeout: 4 * patience });
    const first = await live.peek(target.grace);
    const call = await live.rest(first ? target.grace : 0);
    if (errorOf(call)) return holds();
    const details = answerOf(call, "an error, or the Task and the end of the stream");
    if (call.reply.is === "failure") return crashed("SubscribeToTask for an ended task gets no response", details);
    if (call.reply.is !== "stream")
      return breach("answer-without-stream", "SubscribeToTask for an ended task returns no stream", details);
    const events = wholeEvents(call);
    assertNotCut(call);
    if (!isClosed(call)) return broken("the agent does not close the stream of an ended task", details);
    const other = events.find(({ taskId, state }) =>
      taskId !== undefined && taskId !== task.id ? true : state !== undefined && !isEnded(state),
    );
    if (!other) return holds();
    return broken("SubscribeToTask for an ended task reports something other than its end", {
      ...details,
      ...shown(other.json),
    });
  },
});

export const goesOn = activeCheck("V03-SUB-002", {
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: seen, subscribedAgain: again }) {
    const { refused, last, got } = seen;
    const [first] = ofThisBinding(seen);
    if (!first) {
      if (!refused) return notExamined("prompt", "the slow task ended too soon", "prompts.slow in assay.yaml");
      assertReadable(refused);
      return breach(
        "subscription-refused",
        "the agent refuses SubscribeToTask for a working task",
        answerOf(refused, "a stream"),
      );
    }
    // A single failure may be chance: a task may end while Assay closes its other stream.
    if ([seen, again].some((one) => one && ofThisBinding(one).some(({ complete }) => complete))) return holds();
    if (!isEnded(last?.state))
      return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
    // Python 0.3 sometimes loses the end if several streams read it, so this is not a reliable failure.
    if ([seen, again].some((one) => one && ofThisBinding(one).some(tellsOfWork)))
      return notExamined("unstable", "the stream reported progress, but closed before the end of the task");
    for (const one of [seen, again]) for (const { call } of one ? ofThisBinding(one) : []) wholeEvents(call);
    return broken("a stream of a working task does not report its progress", {
      saw: `${first.events.length} events, the last ${brief(first.events.at(-1)?.json)}`,
      want: "all events until the task ends",
      at: [first.call, got],
    });
  },
});

const tellsOfWork = ({ events }: Subscription): boolean =>
  events.some(({ is }) => is === "status" || is === "artifact");

const ofThisBinding = ({ subscriptions }: SeveralSubscribers): readonly Subscription[] =>
  subscriptions.filter(({ elsewhere }) => !elsewhere);

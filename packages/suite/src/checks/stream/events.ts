import { isTaskState } from "@assay/protocol";
import { asObject, brief, shown } from "../../answers/loose-json.ts";
import { eventsOf, isEnded, type LooseEvent } from "../../answers/reading.ts";
import { unreadableEvent } from "../../answers/unreadable-events.ts";
import { assertNotCut } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { twoTasksAtOnce } from "../../observations/contexts.ts";
import { answeredInFull } from "../../observations/list-pages.ts";
import { subscribed } from "../../observations/several-subscribers.ts";
import { directStream, taskStream } from "../../observations/task-stream.ts";
import { shapeCheck } from "../../shapes/check.ts";
import { isEventStream } from "../bindings/bodies.ts";

/** If no stream opens, the observation fails this rule. */
export const opensStream = activeCheck("STREAM-001", {
  uses: { taskStream },
  judge: () => holds(),
});

export const opensWithTask = passiveCheck("STREAM-003", {
  shownBy: [taskStream, answeredInFull],
  judge(call) {
    if (call.operation !== "SendStreamingMessage") return undefined;
    const [first] = eventsOf(call);
    // STREAM-008 judges an event that is not a StreamResponse.
    if (!first || first.is === "unknown") return undefined;
    if (first.is === "task" || first.is === "message") return holds();
    const kind = first.is === "status" ? "a status update" : "an artifact update";
    // An agent that opens new streams right may still omit the Task when it continues one.
    const continues = asObject(asObject(call.params)?.["message"])?.["taskId"] !== undefined;
    return breach(
      continues ? "continued-without-task" : "broken",
      `the stream opens with ${kind} instead of the Task`,
      { ...shown(first.json), want: "an event with task, or with message" },
    );
  },
});

export const oneMessage = activeCheck("STREAM-002", {
  // Requires no prompt, because an agent may send a direct message to any text. If none came, the observation reports
  // that.
  requires: ["streaming"],
  uses: { directStream },
  judge({ directStream: { call, events, closed } }) {
    const want = "one event with message, then the end of the stream";
    if (events.length > 1) {
      return broken("the stream has more events after its message", {
        ...shown(events[1]?.json),
        want,
        at: call,
      });
    }
    assertNotCut(call);
    if (!closed)
      return broken("the agent does not close the stream after its message", {
        saw: "no end of the stream",
        want,
        at: call,
      });
    return holds();
  },
});

/** Judges the events after the Task that opens a stream. */
function judgeFollowers(call: Call): readonly Finding[] | undefined {
  const events = eventsOf(call);
  const [first, ...rest] = events;
  if (first?.is !== "task" || rest.length === 0) return undefined;
  const want = "statusUpdate and artifactUpdate events of the task the stream opened with";
  const details = (event: LooseEvent) => ({ ...shown(event.json), want, at: call });
  const findings = rest.flatMap((event, index): Finding[] => {
    if (event.is === "message") return [broken("the stream of a task has an event with message", details(event))];
    if (event.is === "task") return judgeSnapshot(event, events.slice(0, index + 1), index === rest.length - 1);
    if (event.is !== "unknown" && event.taskId !== undefined && event.taskId !== first.taskId) {
      return call.operation === "SubscribeToTask"
        ? [broken("a subscription reports events of another task", details(event))]
        : [];
    }
    return [];
  });
  return findings.length ? findings : [holds()];

  /** Judges a second Task, which may come as a snapshot (AMB-07): the same task, not older than earlier events. */
  function judgeSnapshot(event: LooseEvent, before: readonly LooseEvent[], isLast: boolean): Finding[] {
    if (event.taskId !== first?.taskId)
      return [broken("a later Task in the stream is a different task", details(event))];
    if (
      goesBack(
        before.map(({ state }) => state),
        event.state,
      )
    )
      return [broken("a later Task in the stream has an earlier state than the events before it", details(event))];
    return isLast ? [] : [breach("late-snapshot", "the stream repeats the Task between updates", details(event))];
  }
}

function goesBack(before: readonly (string | undefined)[], now: string | undefined): boolean {
  // DATA-003 judges a state that does not exist. It has no place in the order.
  if (now !== undefined && !isTaskState(now)) return false;
  const ended = before.find(isEnded);
  if (ended !== undefined) return now !== ended;
  return now === "TASK_STATE_SUBMITTED" && before.some((state) => state !== undefined && state !== now);
}

export const followerChecks = [
  passiveCheck("STREAM-004", {
    shownBy: [taskStream],
    judge: (call) => (call.operation === "SendStreamingMessage" ? judgeFollowers(call) : undefined),
  }),
  passiveCheck("SUB-010", {
    shownBy: [subscribed],
    judge: (call) => (call.operation === "SubscribeToTask" ? judgeFollowers(call) : undefined),
  }),
];

export const sameIds = passiveCheck("STREAM-019", {
  shownBy: [taskStream, twoTasksAtOnce],
  judge(call) {
    const events = eventsOf(call);
    const [first] = events;
    const updates = events.filter(({ is }) => is === "status" || is === "artifact");
    if (updates.length === 0) return undefined;
    const taskId = first?.is === "task" ? first.taskId : updates[0]?.taskId;
    const contextId = (first?.is === "task" && first.contextId) || updates[0]?.contextId;
    const want = `taskId ${brief(taskId)} and contextId ${brief(contextId)}`;
    const accuse = (message: string, { json }: LooseEvent): Finding => broken(message, { ...shown(json, 240), want });
    for (const event of updates) {
      if (!event.taskId) return accuse("an update in the stream has no taskId", event);
      if (!event.contextId) return accuse("an update in the stream has no contextId", event);
      // SUB-010 judges which task a subscription reports.
      if (event.taskId !== taskId && call.operation === "SendStreamingMessage")
        return accuse("an update in the stream has a different taskId than its Task", event);
      if (event.contextId !== contextId)
        return accuse("an update in the stream has a different contextId than its Task", event);
    }
    return holds();
  },
});

export const oneMemberEach = shapeCheck("STREAM-008", {
  on: ["StreamResponse"],
  shownBy: [taskStream],
});

/** Judges server-sent events by the HTML standard, for both HTTP bindings. */
function judgeSyntax(call: Call): Finding | undefined {
  const { sse, response } = call.exchange.http;
  if (!isEventStream(call) || !sse || !response) return undefined;
  const want = "data: lines, each event followed by a blank line, in UTF-8";
  if (sse.invalidUtf8)
    return broken("the event stream is not valid UTF-8", { saw: "invalid UTF-8 bytes", want, at: call });
  const lost = unreadableEvent(call);
  if (lost?.in === "framing") return breach("lost-events", lost.because, { saw: lost.saw, want, at: call });
  // If Assay closed the connection, the rest was never sent.
  if (!call.exchange.failure && sse.unfinished !== undefined) {
    const saw = brief(sse.unfinished);
    return broken("the event stream ends in the middle of an event", { saw, want, at: call });
  }
  return sse.events.length ? holds() : undefined;
}

export const sseSyntaxChecks = [
  passiveCheck("JSONRPC-018", {
    shownBy: [taskStream],
    judge: judgeSyntax,
  }),
  passiveCheck("REST-037", { shownBy: [taskStream], judge: judgeSyntax }),
];

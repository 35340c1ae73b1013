import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { isEnded, type LooseEvent, looseTask } from "../../answers/reading.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { slowerPrompt } from "../../observations/cancelled.ts";
import { leftStream } from "../../observations/left-stream.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import {
  incompleteSubscription,
  type SeveralSubscribers,
  type Subscription,
  slowTaskStreams,
  subscribedAgain,
} from "../../observations/several-subscribers.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { stable } from "./assembled.ts";
import { assertTellsTheEnd } from "./ending.ts";

/** Reduces an event to its content, because ids, times and metadata may differ between streams. */
function gist({ is, content }: LooseEvent): string {
  const artifact = asObject(content["artifact"]);
  if (is === "artifact" && artifact) {
    const { artifactId, parts = [] } = artifact;
    return `artifact ${asText(artifactId)} ${content["append"] === true ? "+" : "="} ${stable(parts)}`;
  }
  const status = asObject(content["status"]);
  const said = asObject(status?.["message"])?.["parts"] ?? [];
  return `status ${asText(status?.["state"])} ${stable(said)}`;
}

/** Returns true if two streams of a task agree from the start of the later one. */
export function agree(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const tail = shorter.length === 0 ? [] : longer.slice(-shorter.length);
  return tail.every((event, index) => event === shorter[index]);
}

/** Finds an artifact that only the longer stream has, and that is not in the opening Task of the other. */
function lostBetween(a: Subscription, b: Subscription): LooseEvent | undefined {
  const [shorter, longer] = updates(a).length < updates(b).length ? [a, b] : [b, a];
  const opening = looseTask(shorter.events[0]?.content);
  if (shorter.events[0]?.is !== "task" || !opening) return undefined;
  const known = new Set(opening.artifacts.map(({ artifactId }) => artifactId));
  const ahead = updates(longer).slice(0, updates(longer).length - updates(shorter).length);
  return ahead.find(({ is, content }) => {
    const id = asText(asObject(content["artifact"])?.["artifactId"]);
    // DATA-024 judges an artifact without an id. It could be any of those in the opening Task.
    return is === "artifact" && id !== undefined && !known.has(id);
  });
}

const updates = ({ events }: Subscription): LooseEvent[] =>
  events.filter(({ is }) => is === "status" || is === "artifact");

const updatesOf = (stream: Subscription): string[] => updates(stream).map(gist);

/** Compares the events of several streams of one task, without streams that were cut off. */
function compared(opened: readonly Subscription[]): Finding {
  const streams = opened.filter((each) => !incompleteSubscription(each));
  const cut = opened.map(incompleteSubscription).find(Boolean);
  if (cut && streams.length < 2) throw cut;
  const [first, ...others] = streams;
  if (!first || others.length === 0)
    return notExamined("not-triggered", "fewer than two streams of the task could be opened");
  const at = streams.map(({ call }) => call);
  const want = "the same events in the same order on all streams of the task";
  if (!streams.some(({ complete }) => complete))
    return notExamined("not-triggered", "no stream reported the end of the task");
  const missing = streams.find(({ complete }) => !complete);
  if (missing) {
    const saw = `${brief(updatesOf(missing))} on one, ${brief(updatesOf(streams.find(({ complete }) => complete)!))} on another`;
    return broken("one of several streams of a task lacks events that another has", { saw, want, at });
  }
  const other = others.find((each) => !agree(updatesOf(first), updatesOf(each)));
  const lost = others.map((each) => lostBetween(first, each)).find(Boolean);
  if (!other && lost) {
    const saw = `${brief(lost.json)} on one stream only`;
    return broken("one of several streams of a task lacks events that another has", { saw, want, at });
  }
  if (!other) return holds();
  const saw = `${brief(updatesOf(first))} and ${brief(updatesOf(other))}`;
  return broken("two streams of a task have different events, or a different order", { saw, want, at });
}

export const sameOrderOnEveryBinding = activeCheck("STREAM-010", {
  uses: { slowTaskStreams },
  judge({ slowTaskStreams: { subscriptions } }) {
    const elsewhere = subscriptions.find((each) => each.elsewhere);
    const here = subscriptions.find((each) => !each.elsewhere);
    if (!elsewhere || !here) return notExamined("not-triggered", "the task could not be streamed over two bindings");
    const cut = incompleteSubscription(here) ?? incompleteSubscription(elsewhere);
    if (cut) throw cut;
    // STREAM-011 judges missing events; this rule is about order.
    const [a, b] = [updatesOf(here), updatesOf(elsewhere)];
    if (agree(a, b)) return holds();
    const common = (one: readonly string[], of: readonly string[]): string[] =>
      one.filter((event) => of.includes(event));
    const [ours, theirs] = [common(a, b), common(b, a)];
    if (ours.length < 2 || agree(ours, theirs))
      return notExamined("not-triggered", "the streams have too little in common");
    return broken("the events of a task have a different order over another binding", {
      saw: `${brief(theirs)} over ${elsewhere.call.on.binding}`,
      want: brief(ours),
      at: [elsewhere.call, here.call],
    });
  },
});

export const everyStreamGetsAll = activeCheck("STREAM-011", {
  uses: { slowTaskStreams },
  judge({ slowTaskStreams: { subscriptions, refused } }) {
    if (refused) assertReadable(refused);
    if (refused) return notApplicable("the agent serves one stream of a task at a time");
    return compared(subscriptions.filter((each) => !each.elsewhere));
  },
});

/** Returns true if no other stream got to the end of the task after Assay had closed one. */
const isBereft = ({ hungUp, subscriptions, last }: SeveralSubscribers): boolean =>
  hungUp && isEnded(last?.state) && subscriptions.length > 0 && subscriptions.every(({ complete }) => !complete);

export const othersGoOn = activeCheck("STREAM-012", {
  uses: { slowTaskStreams, subscribedAgain },
  also: { taskStream },
  judge({ slowTaskStreams: seen, subscribedAgain: again, taskStream: plain }) {
    if (!seen.hungUp) return notExamined("not-triggered", "two streams of the task could not be opened at once");
    if (!isEnded(seen.last?.state))
      return notExamined("unstable", "the task did not end in time", "--task-timeout <seconds>");
    if (!isBereft(seen) || (again && !isBereft(again))) return holds();
    const cut = [...seen.subscriptions, ...(again?.subscriptions ?? [])].map(incompleteSubscription).find(Boolean);
    if (cut) throw cut;
    if (plain) assertTellsTheEnd(plain);
    const { call, events } = seen.subscriptions[0]!;
    return broken("a stream ends or stalls when another stream of its task is closed", {
      saw: `${events.length} events, the last ${brief(events.at(-1)?.json)}`,
      want: "all events up to the end of the task",
      at: [call, seen.call],
    });
  },
});

export const taskOutlivesStream = activeCheck("STREAM-013", {
  uses: { leftStream },
  also: { slowTaskStreams, subscribedAgain, sentMessage, taskStream },
  judge({ slowTaskStreams: watched, subscribedAgain: again, leftStream: left, sentMessage: sent, taskStream: whole }) {
    const seen = watched?.hungUp ? watched : left;
    if (!seen) return notExamined("prompt", "no task was working while its stream could be closed", slowerPrompt);
    const states = [seen, ...(again ? [again] : [])].map(({ last }) => last?.state);
    const [first, second = first] = states;
    if (first === undefined || !isEnded(first))
      return notExamined("unstable", "the final state of the task is unknown");
    if (first === "TASK_STATE_COMPLETED" || second !== first) return holds();
    const isUsual = [sent?.last?.state, whole?.events.at(-1)?.state].includes(first);
    if (isUsual) return holds(`tasks of this agent also end in ${first} while their client listens`);
    const details = {
      saw: `${first} after the client disconnected`,
      want: "TASK_STATE_COMPLETED",
      at: [seen.got, seen.call],
    };
    if (first === "TASK_STATE_CANCELED")
      return broken("the agent cancels a task when its streaming client disconnects", details);
    const message = "a slow task does not complete after its streaming client disconnects";
    return breach("failed-after-hang-up", message, details);
  },
});

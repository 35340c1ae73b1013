import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { describeReply, type LooseEvent, type LooseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, isBreach, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { isSpoken } from "../../observations/first-contact.ts";
import { taskIdsIn } from "../../observations/principals.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { incompleteSubscription, type Subscription, slowTaskStreams } from "../../observations/several-subscribers.ts";
import { readElsewhere, untilListed } from "../../observations/until-seen.ts";
import { difference } from "../../shapes/equivalence.ts";

/** Returns the same agent over its other bindings. */
export const othersOf = (target: Target): readonly Target[] =>
  target.sameVersion.filter(({ on }) => on.binding !== target.on.binding && on.dialect === target.on.dialect);

/** Returns the other bindings of the same tenant, which must return the same data. */
const roommatesOf = (target: Target): readonly Target[] =>
  othersOf(target).filter(({ on }) => on.tenant === target.on.tenant);

export const noOthers = notApplicable("this run tests no other binding");
const noRoommates = notApplicable("this run tests no other binding for the same tenant");

export const sameTasks = activeCheck("BIND-002", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const others = roommatesOf(target);
    if (others.length === 0) return noRoommates;
    const findings: Finding[] = [];
    for (const other of others) {
      const finding = await seenFrom(other, target, last);
      if (isBreach(finding)) return finding;
      findings.push(finding);
    }
    return findings.find(({ is }) => is === "holds") ?? findings[0]!;
  },
});

async function seenFrom(other: Target, target: Target, last: LooseTask): Promise<Finding> {
  const { got, here: again } = await readElsewhere(other, target, last.id);
  const task = taskIn(got);
  const [there, here] = [other.on.binding, target.on.binding];
  // Other rules judge a binding that fails; there is nothing to compare.
  if (!task && (!isSpoken(got) || got.reply.is === "result" || isInternal(got)))
    return notExamined("prerequisite", `${other.on.binding} returns nothing to compare: ${describeReply(got)}`);
  if (!task || again) {
    if (!again || !taskIn(again)) return notExamined("unstable", "the task no longer exists");
    return broken("a task created over one binding does not exist over another", {
      saw: `${describeReply(got)} over ${there}; the task over ${here}`,
      want: "the same task",
      at: [got, again],
    });
  }
  const differs =
    task.state !== last.state
      ? `${task.state} over ${there}; ${last.state} over ${here}`
      : task.artifacts.length !== last.artifacts.length
        ? `${task.artifacts.length} artifacts over ${there}; ${last.artifacts.length} over ${here}`
        : undefined;
  if (differs !== undefined)
    return broken("a task has different data over another binding", {
      saw: differs,
      want: "the same state and artifacts",
      at: got,
    });
  if (last.contextId === undefined || !hasOperation(target.on, "ListTasks")) return holds();
  return listedBy(other, target, last.contextId, last);
}

async function listedBy(other: Target, target: Target, contextId: string, task: LooseTask): Promise<Finding> {
  const ours = await target.call("ListTasks", { contextId });
  const lists = (call: Call): boolean => call.reply.is !== "result" || taskIdsIn(call).includes(task.id);
  // BIND-001 judges whether tasks can be listed at all.
  if (ours.reply.is !== "result" || !lists(ours)) return holds();
  const ask = () => other.call("ListTasks", { contextId });
  const { list: theirs, omitted } = await untilListed(other, ask, (call) => (lists(call) ? [] : [task]));
  if (omitted.length === 0) return holds();
  return broken("one binding lists a task that another does not", {
    saw: brief(resultOf(theirs) ?? describeReply(theirs)),
    want: "the same tasks in the same context",
    at: [theirs, ours],
  });
}

export const sameData = activeCheck("DATA-030", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const others = roommatesOf(target);
    if (others.length === 0) return noRoommates;
    const ours = await target.call("GetTask", { id: last.id });
    for (const other of others) {
      const theirs = await other.call("GetTask", { id: last.id });
      const [here, there] = [taskIn(ours), taskIn(theirs)];
      // BIND-002 judges whether the task exists at all.
      if (!here || !there) return notExamined("not-triggered", "not every binding returns the task");
      const path = difference("Task", here.json, there.json);
      if (path === undefined) continue;
      const again = taskIn(await target.call("GetTask", { id: last.id }));
      if (!again || difference("Task", here.json, again.json) !== undefined)
        return notExamined("unstable", "GetTask returns different data on each read");
      // A URL may point to the binding of the request.
      const isAddress = /\.parts\[\d+\]\.url$/.test(path);
      return breach(isAddress ? "address-differs" : "broken", "a task has different content over another binding", {
        saw: `${path} differs between ${target.on.binding} and ${other.on.binding}`,
        want: "the same task",
        at: [theirs, ours],
      });
    }
    return holds();
  },
});

export const sameStreams = activeCheck("BIND-005", {
  uses: { slowTaskStreams },
  judge({ slowTaskStreams: { subscriptions } }, { on }) {
    const comparable = ({ json }: LooseEvent) => (on.dialect === "1.0" ? json : common(json));
    const whole = subscriptions.filter((each) => each.complete && !incompleteSubscription(each));
    const here = whole.find(({ elsewhere }) => !elsewhere);
    const there = whole.find(({ elsewhere }) => elsewhere);
    const cut = subscriptions.map(incompleteSubscription).find(Boolean);
    if (cut && (!here || !there)) throw cut;
    if (!here || !there) return notApplicable("the task was not streamed to its end over another binding");
    // STREAM-008 judges an event that is not a StreamResponse.
    if ([here, there].some(({ events }) => events.some(({ is }) => is === "unknown")))
      return notExamined("not-triggered", "the streams have unreadable events");
    const left = leftOut(here, there);
    const [ours, theirs] = [updatesIn(here.events), updatesIn(there.events)];
    // A later subscriber misses only the beginning.
    const both = Math.min(ours.length, theirs.length);
    const tails = [ours.slice(ours.length - both), theirs.slice(theirs.length - both)] as const;
    const differs = tails[0].findIndex((event, index) =>
      difference("StreamResponse", comparable(event), comparable(tails[1][index]!)),
    );
    if (differs < 0) return left ?? holds();
    const other = broken("two streams of one task have different events over different bindings", {
      saw: `${brief(tails[0][differs]!.json, 200)} and ${brief(tails[1][differs]!.json, 200)}`,
      want: "the same events in the same order",
      at: [here.call, there.call],
    });
    return left ? [left, other] : other;
  },
});

/** Finds an artifact that only one of two streams has. A stream that does not open with the task may have missed it. */
function leftOut(here: Subscription, there: Subscription): Finding | undefined {
  const [ours, theirs] = [artifactsIn(here.events), artifactsIn(there.events)];
  if (ours.size === theirs.size) return undefined;
  const isWhole = [here, there].every(({ events }) => events[0]?.is === "task");
  const message = "a stream over one binding has an artifact that the same stream over another omits";
  return breach(isWhole ? "broken" : "artifact-before-opening", message, {
    saw: `${brief([...ours])} and ${brief([...theirs])}`,
    want: "the same artifacts, in the opening task or in updates",
    at: [here.call, there.call],
  });
}

/** Members that only one of the two data models of 0.3 has. */
const ofOneModel = new Set(["timestamp", "filename", "mediaType", "metadata", "referenceTaskIds", "extensions"]);

function common(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(common);
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).filter(([name]) => !ofOneModel.has(name));
  return Object.fromEntries(members.map(([name, value]) => [name, common(value)]));
}

/** Returns the events without snapshots, which may come at any time. */
const updatesIn = (events: readonly LooseEvent[]): readonly LooseEvent[] =>
  events.filter(({ is }) => is === "status" || is === "artifact");

/** Returns the artifacts that a reader of the whole stream knows, from the opening task or an update. */
const artifactsIn = (events: readonly LooseEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ is, content }) => {
      const artifacts = is === "task" ? asList(content["artifacts"]) : is === "artifact" ? [content["artifact"]] : [];
      return artifacts.flatMap((artifact) => asText(asObject(artifact)?.["artifactId"]) ?? []);
    }),
  );

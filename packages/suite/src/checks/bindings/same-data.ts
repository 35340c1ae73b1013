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
import { readElsewhere, stillThere, untilListed } from "../../observations/until-seen.ts";
import { difference } from "../../shapes/equivalence.ts";

/** The same agent over its other bindings. */
export const othersOf = (target: Target): readonly Target[] =>
  target.sameVersion.filter(({ on }) => on.binding !== target.on.binding && on.dialect === target.on.dialect);

/** Those of the same tenant: what one shows the others must show. */
const roommatesOf = (target: Target): readonly Target[] =>
  othersOf(target).filter(({ on }) => on.tenant === target.on.tenant);

export const noOthers = notApplicable("no other binding is tested");
const noRoommates = notApplicable("no other binding is tested for the same tenant");

export const sameTasks = activeCheck({
  id: "BIND-002",
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
  // A binding that is not spoken, or cannot answer, is for its own rules: there is nothing to compare.
  if (!task && (!isSpoken(got) || got.reply.is === "result" || isInternal(got)))
    return notExamined("prerequisite", `${other.on.binding} shows nothing to compare: ${describeReply(got)}`);
  if (!task || again) {
    if (!again || !taskIn(again)) return notExamined("unstable", "the task is gone");
    return broken("a task made over one binding is not there over another", {
      saw: `${describeReply(got)} over ${there}, the task over ${here}`,
      want: "the same task",
      at: [got, again],
    });
  }
  const differs =
    task.state !== last.state
      ? `${task.state} over ${there}, ${last.state} over ${here}`
      : task.artifacts.length !== last.artifacts.length
        ? `${task.artifacts.length} artifacts over ${there}, ${last.artifacts.length} over ${here}`
        : undefined;
  if (differs !== undefined)
    return broken("a task looks different over another binding", {
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
  // Whether tasks can be listed at all is for BIND-001 to say.
  if (ours.reply.is !== "result" || !lists(ours)) return holds();
  const ask = () => other.call("ListTasks", { contextId });
  const theirs = await untilListed(other, ask, (call) => (lists(call) ? [] : [task]));
  if (lists(theirs) || (await stillThere(target, [task])).length === 0) return holds();
  return broken("a task that one binding lists is not listed by another", {
    saw: brief(resultOf(theirs) ?? describeReply(theirs)),
    want: "the same tasks in the same context",
    at: [theirs, ours],
  });
}

export const sameData = activeCheck({
  id: "DATA-030",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const others = roommatesOf(target);
    if (others.length === 0) return noRoommates;
    const ours = await target.call("GetTask", { id: last.id });
    for (const other of others) {
      const theirs = await other.call("GetTask", { id: last.id });
      const [here, there] = [taskIn(ours), taskIn(theirs)];
      // Whether the task is there at all is for BIND-002 to say.
      if (!here || !there) return notExamined("not-triggered", "the task is not shown over every binding");
      const path = difference("Task", here.json, there.json);
      if (path === undefined) continue;
      const again = taskIn(await target.call("GetTask", { id: last.id }));
      if (!again || difference("Task", here.json, again.json) !== undefined)
        return notExamined("unstable", "the task looks different each time it is asked for");
      // An address may well lead back to the binding that was asked.
      const isAddress = /\.parts\[\d+\]\.url$/.test(path);
      return breach(isAddress ? "address-differs" : "broken", "a task has other content over another binding", {
        saw: `${path} differs between ${target.on.binding} and ${other.on.binding}`,
        want: "the same task",
        at: [theirs, ours],
      });
    }
    return holds();
  },
});

export const sameStreams = activeCheck({
  id: "BIND-005",
  uses: { slowTaskStreams },
  judge({ slowTaskStreams: { subscriptions } }, { on }) {
    const comparable = ({ json }: LooseEvent) => (on.dialect === "1.0" ? json : common(json));
    const whole = subscriptions.filter((each) => each.complete && !incompleteSubscription(each));
    const here = whole.find(({ elsewhere }) => !elsewhere);
    const there = whole.find(({ elsewhere }) => elsewhere);
    const cut = subscriptions.map(incompleteSubscription).find(Boolean);
    if (cut && (!here || !there)) throw cut;
    if (!here || !there) return notApplicable("the task was not watched over another binding to its end");
    // What is no StreamResponse breaks another rule (STREAM-008).
    if ([here, there].some(({ events }) => events.some(({ is }) => is === "unknown")))
      return notExamined("not-triggered", "not all events of the streams could be read");
    const left = leftOut(here, there);
    const [ours, theirs] = [updatesIn(here.events), updatesIn(there.events)];
    // A later subscriber has missed the beginning, and nothing else.
    const both = Math.min(ours.length, theirs.length);
    const tails = [ours.slice(ours.length - both), theirs.slice(theirs.length - both)] as const;
    const differs = tails[0].findIndex((event, index) =>
      difference("StreamResponse", comparable(event), comparable(tails[1][index]!)),
    );
    if (differs < 0) return left ?? holds();
    const other = broken("two streams of one task tell different things over different bindings", {
      saw: `${brief(tails[0][differs]!.json, 200)} against ${brief(tails[1][differs]!.json, 200)}`,
      want: "the same events in the same order",
      at: [here.call, there.call],
    });
    return left ? [left, other] : other;
  },
});

/** An artifact that only one of two streams of a task shows. One that does not open with the task may have missed it. */
function leftOut(here: Subscription, there: Subscription): Finding | undefined {
  const [ours, theirs] = [artifactsIn(here.events), artifactsIn(there.events)];
  if (ours.size === theirs.size) return undefined;
  const isWhole = [here, there].every(({ events }) => events[0]?.is === "task");
  const message = "a stream over one binding shows an artifact that the same stream over another leaves out";
  return breach(isWhole ? "broken" : "artifact-before-opening", message, {
    saw: `${brief([...ours])} against ${brief([...theirs])}`,
    want: "the same artifacts, in the opening task or in updates",
    at: [here.call, there.call],
  });
}

/** 0.3 has two data models: what only one of them has a place for is no difference. */
const ofOneModel = new Set(["timestamp", "filename", "mediaType", "metadata", "referenceTaskIds", "extensions"]);

function common(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(common);
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).filter(([name]) => !ofOneModel.has(name));
  return Object.fromEntries(members.map(([name, value]) => [name, common(value)]));
}

/** Without the snapshots: when they come is the agent's affair. */
const updatesIn = (events: readonly LooseEvent[]): readonly LooseEvent[] =>
  events.filter(({ is }) => is === "status" || is === "artifact");

/** What a reader of the stream knows of at its end, from the task that opened it or from an update. */
const artifactsIn = (events: readonly LooseEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ is, content }) => {
      const artifacts = is === "task" ? asList(content["artifacts"]) : is === "artifact" ? [content["artifact"]] : [];
      return artifacts.flatMap((artifact) => asText(asObject(artifact)?.["artifactId"]) ?? []);
    }),
  );

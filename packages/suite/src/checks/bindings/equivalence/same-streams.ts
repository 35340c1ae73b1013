import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { asList, asObject, asText, brief, type LooseEvent } from "../../../answers/reading.ts";
import { activeCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../../define/finding.ts";
import {
  incompleteSubscription,
  type Subscription,
  slowTaskStreams,
} from "../../../observations/several-subscribers.ts";
import { difference } from "../../../shapes/equivalence.ts";

export const sameStreams = activeCheck({
  id: "BIND-005",
  title: "streams of one task tell the same over every binding",
  remedy: "Feed the streams of all bindings from one source of events, in one order.",
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

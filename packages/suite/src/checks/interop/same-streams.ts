import { probe } from "../../check.ts";
import { broken, holds, notApplicable } from "../../finding.ts";
import { watchedTask } from "../../observations/watched.ts";
import { asList, asObject, asText, brief, type LooseEvent } from "../../reading.ts";
import { difference } from "../../shapes/equivalence.ts";

export const sameStreams = probe({
  id: "BIND-005",
  title: "streams of one task tell the same over every binding",
  remedy: "Feed the streams of all bindings from one source of events, in one order.",
  uses: { watchedTask },
  probe({ watchedTask: { subscriptions } }) {
    const here = subscriptions.find(({ elsewhere, complete }) => !elsewhere && complete);
    const there = subscriptions.find(({ elsewhere, complete }) => elsewhere && complete);
    if (!here || !there) return notApplicable("the task was not watched over another binding to its end");
    const [mine, others] = [artifactsIn(here.events), artifactsIn(there.events)];
    if (mine.size !== others.size)
      return broken("a stream over one binding shows an artifact that the same stream over another leaves out", {
        saw: `${brief([...mine])} against ${brief([...others])}`,
        want: "the same artifacts, in the opening task or in updates",
        at: [here.talk, there.talk],
      });
    const [ours, theirs] = [updatesIn(here.events), updatesIn(there.events)];
    // Whoever came later has missed the beginning, and nothing else.
    const common = Math.min(ours.length, theirs.length);
    const tails = [ours.slice(ours.length - common), theirs.slice(theirs.length - common)] as const;
    const differs = tails[0].findIndex((event, index) =>
      difference("StreamResponse", event.json, tails[1][index]!.json),
    );
    if (differs < 0) return holds();
    return broken("two streams of one task tell different things over different bindings", {
      saw: `${brief(tails[0][differs]!.json, 200)} against ${brief(tails[1][differs]!.json, 200)}`,
      want: "the same events in the same order",
      at: [here.talk, there.talk],
    });
  },
});

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

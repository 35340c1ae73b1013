import { asObject, asText, brief, shown } from "../../answers/loose-json.ts";
import { eventsOf, isEnded, type LooseEvent, type LooseTask, taskIn } from "../../answers/reading.ts";
import { wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";
import { assembled, stored, whole } from "./assembled.ts";

/** Returns the task of a complete stream as GetTask returns it; otherwise why there is nothing to compare. */
async function taskOf(
  { taskId, call }: TaskStream,
  target: Target,
): Promise<{ task: LooseTask; got: Call; instead?: never } | { task?: never; got?: never; instead: Finding }> {
  const events = wholeEvents(call);
  if (!events.some(({ is }) => is === "artifact")) return { instead: notApplicable("the stream contains no artifact") };
  const legible = call.reply.is === "stream" && call.reply.events.every(({ is }) => is === "result");
  if (!legible || events.some(({ is }) => is === "unknown"))
    return { instead: notExamined("not-triggered", "the stream has unreadable events") };
  if (taskId === undefined || !events.some(({ state }) => isEnded(state)))
    return { instead: notExamined("not-triggered", "the stream did not report the end of the task") };
  const got = await target.call("GetTask", { id: taskId });
  const task = taskIn(got);
  if (!task) return { instead: notExamined("not-triggered", "GetTask no longer returns the task") };
  if (task.artifacts.length === 0) return { instead: notExamined("not-triggered", "GetTask returns no artifacts") };
  return { task, got };
}

export const inOrder = activeCheck("STREAM-009", {
  // Chunks of any artifact show their order, so no slow task is needed.
  requires: ["streaming"],
  uses: { taskStream },
  async judge({ taskStream: seen }, target) {
    const { task, got, instead } = await taskOf(seen, target);
    const kept = task ? stored(task.artifacts) : new Map<string, readonly string[]>();
    const severalChunks = [...assembled(seen.events)].filter(([id, pieces]) => pieces.length > 1 && kept.has(id));
    for (const [id, pieces] of severalChunks) {
      if (whole(pieces) === whole(kept.get(id)) || !isShuffled(pieces, kept.get(id) ?? [])) continue;
      return broken("the stream sends the chunks of an artifact in the wrong order", {
        saw: brief(pieces),
        want: brief(kept.get(id)),
        at: got ? [seen.call, got] : seen.call,
      });
    }
    const times = seen.events.flatMap(({ content, is }) => {
      const time = is !== "status" ? undefined : asText(asObject(content["status"])?.["timestamp"]);
      return time === undefined ? [] : [time];
    });
    const fallen = times.findIndex((time, index) => index > 0 && Date.parse(time) < Date.parse(times[index - 1]!));
    if (fallen > 0) {
      return breach("falling-times", "the status timestamps of a stream go backwards", {
        saw: `${times[fallen]} after ${times[fallen - 1]}`,
        want: "ascending times",
        at: seen.call,
      });
    }
    const back = goesBack(seen.events);
    if (back) {
      return breach("state-goes-back", "the stream reports SUBMITTED after a later state of its task", {
        ...shown(back.json),
        want: "SUBMITTED before all other states",
        at: seen.call,
      });
    }
    if (severalChunks.length === 0 && times.length < 2) {
      return (
        instead ?? notExamined("not-triggered", "the stream has no events whose order can be checked", "prompts.stream")
      );
    }
    return holds();
  },
});

/** Returns the first event that reports SUBMITTED after another state. */
const goesBack = (events: readonly LooseEvent[]): LooseEvent | undefined => {
  const later = events.findIndex(({ state }) => state !== undefined && state !== "TASK_STATE_SUBMITTED");
  return later < 0 ? undefined : events.slice(later).find(({ state }) => state === "TASK_STATE_SUBMITTED");
};

/** Returns true if both lists have the same chunks in a different order. */
function isShuffled(pieces: readonly string[], kept: readonly string[]): boolean {
  if (kept.length === pieces.length) return pieces.toSorted().join("\n") === kept.toSorted().join("\n");
  const text = whole(kept);
  return text.length === whole(pieces).length && pieces.every((piece) => text.includes(piece));
}

export const chunksAddUp = activeCheck("STREAM-021", {
  uses: { taskStream },
  async judge({ taskStream: seen }, target) {
    const { task, got, instead } = await taskOf(seen, target);
    if (instead) return instead;
    const kept = stored(task.artifacts);
    for (const [id, pieces] of assembled(seen.events)) {
      if (whole(pieces) === whole(kept.get(id)) || isShuffled(pieces, kept.get(id) ?? [])) continue;
      return broken("GetTask returns a different artifact than the stream", {
        saw: kept.has(id) ? brief(kept.get(id)) : `no artifact ${brief(id)}`,
        want: brief(pieces),
        at: [got, seen.call],
      });
    }
    return holds();
  },
});

export const lastChunkIsLast = passiveCheck("STREAM-022", {
  shownBy: [taskStream],
  judge(call) {
    const closed = new Set<string>();
    const chunks = eventsOf(call).filter(({ is }) => is === "artifact");
    for (const { content, json } of chunks) {
      const id = asText(asObject(content["artifact"])?.["artifactId"]) ?? "";
      if (closed.has(id) && content["append"] === true) {
        return broken("the stream appends a chunk to an artifact after its lastChunk", {
          ...shown(json, 240),
          want: "lastChunk only on the final chunk",
        });
      }
      // A chunk without append starts the artifact again.
      if (content["lastChunk"] === true) closed.add(id);
      else closed.delete(id);
    }
    return chunks.length ? holds() : undefined;
  },
});

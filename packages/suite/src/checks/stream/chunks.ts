import { asObject, asText, brief, shown } from "../../answers/loose-json.ts";
import { eventsOf, isEnded, type LooseEvent, type LooseTask, taskIn } from "../../answers/reading.ts";
import { wholeEvents } from "../../answers/whole-stream.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";
import { assembled, stored, whole } from "./assembled.ts";

/** The task of a stream that was read to its end, as GetTask shows it; otherwise why there is nothing to compare. */
async function taskOf(
  { taskId, call }: TaskStream,
  target: Target,
): Promise<{ task: LooseTask; got: Call; instead?: never } | { task?: never; got?: never; instead: Finding }> {
  const events = wholeEvents(call);
  if (!events.some(({ is }) => is === "artifact")) return { instead: notApplicable("the stream brought no artifact") };
  const legible = call.reply.is === "stream" && call.reply.events.every(({ is }) => is === "result");
  if (!legible || events.some(({ is }) => is === "unknown"))
    return { instead: notExamined("not-triggered", "not all events of the stream could be read") };
  if (taskId === undefined || !events.some(({ state }) => isEnded(state)))
    return { instead: notExamined("not-triggered", "the stream did not tell of the end of the task") };
  const got = await target.call("GetTask", { id: taskId });
  const task = taskIn(got);
  if (!task) return { instead: notExamined("not-triggered", "GetTask does not show the task any more") };
  if (task.artifacts.length === 0) return { instead: notExamined("not-triggered", "GetTask shows no artifacts") };
  return { task, got };
}

export const inOrder = activeCheck({
  id: "STREAM-009",
  // The chunks of any artifact show their order; it need not be a slow one.
  requires: ["streaming"],
  uses: { taskStream },
  async judge({ taskStream: seen }, target) {
    const { task, got, instead } = await taskOf(seen, target);
    const kept = task ? stored(task.artifacts) : new Map<string, readonly string[]>();
    const severalChunks = [...assembled(seen.events)].filter(([id, pieces]) => pieces.length > 1 && kept.has(id));
    for (const [id, pieces] of severalChunks) {
      if (whole(pieces) === whole(kept.get(id)) || !isShuffled(pieces, kept.get(id) ?? [])) continue;
      return broken("the chunks of an artifact come in another order than the artifact has", {
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
      return breach("falling-times", "the times of the statuses in a stream fall", {
        saw: `${times[fallen]} behind ${times[fallen - 1]}`,
        want: "times that rise",
        at: seen.call,
      });
    }
    const back = goesBack(seen.events);
    if (back) {
      return breach("state-goes-back", "a stream reports SUBMITTED after a later state of its task", {
        ...shown(back.json),
        want: "SUBMITTED before the states that follow it",
        at: seen.call,
      });
    }
    if (severalChunks.length === 0 && times.length < 2) {
      return instead ?? notExamined("not-triggered", "the stream has nothing that shows an order", "prompts.stream");
    }
    return holds();
  },
});

/** The first event that reports SUBMITTED after another state. */
const goesBack = (events: readonly LooseEvent[]): LooseEvent | undefined => {
  const later = events.findIndex(({ state }) => state !== undefined && state !== "TASK_STATE_SUBMITTED");
  return later < 0 ? undefined : events.slice(later).find(({ state }) => state === "TASK_STATE_SUBMITTED");
};

/** The same pieces, put together in another order. */
function isShuffled(pieces: readonly string[], kept: readonly string[]): boolean {
  if (kept.length === pieces.length) return pieces.toSorted().join("\n") === kept.toSorted().join("\n");
  const text = whole(kept);
  return text.length === whole(pieces).length && pieces.every((piece) => text.includes(piece));
}

export const chunksAddUp = activeCheck({
  id: "STREAM-021",
  uses: { taskStream },
  async judge({ taskStream: seen }, target) {
    const { task, got, instead } = await taskOf(seen, target);
    if (instead) return instead;
    const kept = stored(task.artifacts);
    for (const [id, pieces] of assembled(seen.events)) {
      if (whole(pieces) === whole(kept.get(id)) || isShuffled(pieces, kept.get(id) ?? [])) continue;
      return broken("GetTask shows another artifact than the stream brought", {
        saw: kept.has(id) ? brief(kept.get(id)) : `no artifact ${brief(id)}`,
        want: brief(pieces),
        at: [got, seen.call],
      });
    }
    return holds();
  },
});

export const lastChunkIsLast = passiveCheck({
  id: "STREAM-022",
  shownBy: [taskStream],
  judge(call) {
    const closed = new Set<string>();
    const chunks = eventsOf(call).filter(({ is }) => is === "artifact");
    for (const { content, json } of chunks) {
      const id = asText(asObject(content["artifact"])?.["artifactId"]) ?? "";
      if (closed.has(id) && content["append"] === true) {
        return broken("a chunk is appended to an artifact whose last chunk was sent", {
          ...shown(json, 240),
          want: "lastChunk on the final chunk alone",
        });
      }
      // Sent anew without append, an artifact begins again.
      if (content["lastChunk"] === true) closed.add(id);
      else closed.delete(id);
    }
    return chunks.length ? holds() : undefined;
  },
});

import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@assay/protocol";
import { asList, asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { isAtRest, isEnded, type LooseTask, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { ownContext } from "../../observations/contexts.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { noTaskSent } from "../../observations/no-task.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";

/** Lists what one view of a task lacks of the other's artifacts. */
export function missingFrom(view: Pick<LooseTask, "artifacts">, other: Pick<LooseTask, "artifacts">): string[] {
  const known = byId(view);
  return other.artifacts.flatMap((artifact) => {
    const id = asText(artifact["artifactId"]);
    if (id === undefined) return [];
    const same = known.get(id);
    if (!same) return [`artifact ${brief(id, 40)}`];
    return partsOf(artifact).length > partsOf(same).length ? [`parts of artifact ${brief(id, 40)}`] : [];
  });
}

/** Returns the first artifact of each id, because a task may have tens of thousands. */
const byId = ({ artifacts }: Pick<LooseTask, "artifacts">): ReadonlyMap<JsonValue | undefined, JsonObject> =>
  new Map(artifacts.toReversed().map((artifact) => [artifact["artifactId"], artifact]));

const partsOf = (artifact: JsonObject) => asList(artifact["parts"]);

/** Returns the content of an artifact's parts, without metadata and links, because links may get a new signature. */
export const contentOf = (artifact: JsonObject): unknown =>
  asObjects(artifact["parts"]).map(({ text, raw, data }) => [text, raw, data]);

export const getReturnsIt = activeCheck("GET-001", {
  uses: { taskAtRest },
  // Includes tasks with a status message, and a task that only its stream shows.
  also: { inputRequired, ownContext, taskStream },
  async judge(
    { taskAtRest: { call, task, last, got }, inputRequired: asks, ownContext: own, taskStream: stream },
    target,
  ) {
    const at = [got, call];
    if (last.id !== task.id) {
      return broken("GetTask returns a different task than requested", {
        saw: `id ${brief(last.id, 60)}`,
        want: `id ${task.id}`,
        at,
      });
    }
    if (task.contextId && last.contextId !== task.contextId) {
      return broken(`GetTask returns a different contextId than ${call.streamed ? "the stream" : "SendMessage"}`, {
        saw: last.contextId ?? "no contextId",
        want: task.contextId,
        at,
      });
    }
    if (last.state === undefined) {
      return broken("GetTask returns a task without a state", {
        saw: brief(last.json["status"]),
        want: "status.state",
        at,
      });
    }
    const missing = missingFrom(last, task);
    if (missing.length > 0) {
      return broken(
        `GetTask omits artifacts that ${call.streamed ? "the stream" : "the response of SendMessage"} contains`,
        {
          saw: `without ${brief(missing.join(", "))}`,
          want: "all artifacts of the task",
          at,
        },
      );
    }
    const views = [
      { call, got },
      ...(asks ? [{ call: asks.opening, got: asks.got }] : []),
      ...(own?.got ? [{ call: own.call, got: own.got }] : []),
    ];
    const silent = views.find((view) => saysLess(taskIn(view.got), taskIn(view.call)));
    if (silent) return withoutWords(silent.call, silent.got);
    return (stream && (await judgeStreamed(stream, target))) ?? holds();
  },
});

const wordsOf = (task: LooseTask | undefined): JsonObject | undefined =>
  asObject(asObject(task?.json["status"])?.["message"]);

/** The task is at rest in the same state, but its status message is gone. */
const saysLess = (later: LooseTask | undefined, before: LooseTask | undefined): boolean =>
  later !== undefined &&
  isAtRest(before?.state) &&
  later.state === before?.state &&
  wordsOf(before) !== undefined &&
  wordsOf(later) === undefined;

const withoutWords = (told: Call, got: Call): Finding =>
  broken("GetTask omits a status message that the agent sent before", {
    saw: brief(asObject(taskIn(got)?.json["status"])),
    want: "status.message, as in the earlier response or stream",
    at: [got, told],
  });

/** Checks that GetTask returns what the stream of an ended task showed. */
async function judgeStreamed({ call, events, taskId }: TaskStream, target: Target): Promise<Finding | undefined> {
  const end = events.findLast(({ state }) => isEnded(state));
  if (!end || taskId === undefined) return undefined;
  const got = await target.call("GetTask", { id: taskId });
  const task = taskIn(got);
  // Rules about streams judge how a task ends.
  if (!task || task.state !== end.state) return undefined;
  if (task.artifacts.length === 0 && events.some(({ is }) => is === "artifact")) {
    return broken("GetTask omits the artifacts that the stream of the task contains", {
      saw: "no artifacts",
      want: "all artifacts of the task",
      at: [got, call],
    });
  }
  const isSilent = asObject(asObject(end.content["status"])?.["message"]) !== undefined && !wordsOf(task);
  return isSilent ? withoutWords(call, got) : undefined;
}

export const answerIsComplete = activeCheck("SEND-011", {
  uses: { taskAtRest },
  judge({ taskAtRest: { call, task, last, got } }) {
    if (call.streamed) return noTaskSent();
    if (task.state !== "TASK_STATE_COMPLETED") {
      return notExamined("not-triggered", "SendMessage returned before the task was completed");
    }
    if (last.artifacts.length === 0 && task.artifacts.length === 0) return notApplicable("the task has no artifacts");
    const missing = missingFrom(task, last);
    const answered = byId(task);
    const differing = last.artifacts.filter((artifact) => {
      const same = answered.get(artifact["artifactId"]);
      return (
        same &&
        partsOf(same).length === partsOf(artifact).length &&
        !isDeepStrictEqual(contentOf(same), contentOf(artifact))
      );
    });
    if (missing.length === 0 && differing.length === 0) return holds();
    return broken("the response of SendMessage lacks artifacts that GetTask returns right after it", {
      saw: missing.length
        ? `without ${brief(missing.join(", "))}`
        : `other parts in ${brief(differing[0]?.["artifactId"])}`,
      want: "the artifacts that GetTask returns",
      at: [call, got],
    });
  },
});

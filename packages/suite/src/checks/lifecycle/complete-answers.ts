import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@assay/protocol";
import { type Check, probe } from "../../check.ts";
import { broken, holds, notApplicable, notExamined } from "../../finding.ts";
import { settledTask } from "../../observations/settled.ts";
import { asList, asObjects, asText, brief, type LooseTask } from "../../reading.ts";

/** What one view of a task shows of its artifacts and the other one does not. */
export function missingFrom(view: Pick<LooseTask, "artifacts">, other: Pick<LooseTask, "artifacts">): string[] {
  return other.artifacts.flatMap((artifact) => {
    const id = asText(artifact["artifactId"]);
    if (id === undefined) return [];
    const same = view.artifacts.find(({ artifactId }) => artifactId === id);
    if (!same) return [`artifact ${brief(id, 40)}`];
    return partsOf(artifact).length > partsOf(same).length ? [`parts of artifact ${brief(id, 40)}`] : [];
  });
}

const partsOf = (artifact: JsonObject) => asList(artifact["parts"]);

/** What the parts of an artifact hold. Links may be signed anew, and the rest is how it is written. */
export const contentOf = (artifact: JsonObject): unknown =>
  asObjects(artifact["parts"]).map(({ text, raw, data }) => [text, raw, data]);

const getReturnsIt = probe({
  id: "GET-001",
  title: "GetTask returns the task with its status and its artifacts",
  remedy: "Return the whole Task from GetTask: the same `id` and `contextId`, its `status` and all `artifacts`.",
  uses: { settledTask },
  probe({ settledTask: { talk, task, last, got } }) {
    const at = [got, talk];
    if (last.id !== task.id) {
      return broken("GetTask returns another task than the one asked for", {
        saw: `id ${brief(last.id, 60)}`,
        want: `id ${task.id}`,
        at,
      });
    }
    if (task.contextId && last.contextId !== task.contextId) {
      return broken("GetTask shows another contextId than SendMessage did", {
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
    if (missing.length === 0) return holds();
    return broken("GetTask leaves out artifacts that the answer of SendMessage had", {
      saw: `without ${missing.join(", ")}`,
      want: "all artifacts of the task",
      at,
    });
  },
});

const answerIsComplete = probe({
  id: "SEND-011",
  title: "the answer of a send that waits shows the task with all its artifacts",
  remedy: "Build the answer of a blocking SendMessage from the task as it stands at the end, artifacts included.",
  uses: { settledTask },
  probe({ settledTask: { talk, task, last, got } }) {
    if (task.state !== "TASK_STATE_COMPLETED") {
      return notExamined("no-occasion", "the task was not completed when the send was answered");
    }
    if (last.artifacts.length === 0 && task.artifacts.length === 0) return notApplicable("the task has no artifacts");
    const missing = missingFrom(task, last);
    const differing = last.artifacts.filter((artifact) => {
      const same = task.artifacts.find(({ artifactId }) => artifactId === artifact["artifactId"]);
      return (
        same &&
        partsOf(same).length === partsOf(artifact).length &&
        !isDeepStrictEqual(contentOf(same), contentOf(artifact))
      );
    });
    if (missing.length === 0 && differing.length === 0) return holds();
    return broken("the answer of SendMessage lacks artifacts that GetTask shows right after it", {
      saw: missing.length ? `without ${missing.join(", ")}` : `other parts in ${brief(differing[0]?.["artifactId"])}`,
      want: "the artifacts that GetTask shows",
      at: [talk, got],
    });
  },
});

export const completenessChecks: readonly Check[] = [getReturnsIt, answerIsComplete];

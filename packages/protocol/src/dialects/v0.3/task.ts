import { defined } from "../../defined.ts";
import type { Task } from "../../model.ts";
import { mendItems, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import type { Release } from "../releases.ts";
import { mendArtifact, readArtifact, writeArtifact } from "./artifact.ts";
import { mendMessage, readMessage, writeMessage } from "./message.ts";
import type { TaskShape } from "./shapes.ts";
import { mendStatus, readStatus, writeStatus } from "./status.ts";

/**
 * A task of 0.2 and 0.3: tagged with `kind`, and always in a context. A canonical task without a context is written
 * with its own id as context, and is read back with it.
 *
 * A missing `kind` is not mended: in a response, only `kind` distinguishes a task from a message.
 */
export const mendTask = mending((task, place) => {
  mendMember(task, "status", place, mendStatus);
  mendItems(task, "artifacts", place, mendArtifact);
  mendItems(task, "history", place, mendMessage);
});

export function readTask(task: TaskShape, place: ReadingPlace): Task {
  const { id, contextId, status, artifacts, history, metadata } = task;
  return defined({
    id,
    contextId,
    status: readStatus(status, place.at("status")),
    artifacts: artifacts?.map((artifact, index) => readArtifact(artifact, place.at("artifacts").at(index))),
    history: history?.map((message, index) => readMessage(message, place.at("history").at(index))),
    metadata,
  });
}

export function writeTask(task: Task, release: Release): TaskShape {
  const { id, contextId, status, artifacts, history, metadata } = task;
  return defined({
    kind: "task",
    id,
    contextId: contextId || id,
    status: writeStatus(status, release),
    artifacts: artifacts?.map((artifact) => writeArtifact(artifact, release)),
    history: history?.map((message) => writeMessage(message, release)),
    metadata,
  });
}

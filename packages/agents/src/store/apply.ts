import type { Artifact, Message, Task } from "@assay/protocol";
import type { TaskEvent } from "./store.ts";

/** Brings a snapshot up to date with one event, in place. */
export function applyEvent(task: Task, event: TaskEvent): void {
  switch (event.is) {
    case "created":
      break;
    case "status":
      fileStatusMessage(task);
      task.status = event.status;
      break;
    case "artifact":
      applyArtifact(task, event.artifact, event.append);
      break;
    case "message":
      fileStatusMessage(task);
      remember(task, event.message);
      break;
    case "cancel-requested":
      if (event.metadata) task.metadata = { ...task.metadata, ...event.metadata };
      break;
  }
}

/** What the agent said last becomes history as soon as something newer is said. */
function fileStatusMessage(task: Task): void {
  if (!task.status.message) return;
  const { message, ...status } = task.status;
  remember(task, message);
  task.status = status;
}

function remember(task: Task, message: Message): void {
  if (task.history) task.history.push(message);
  else task.history = [message];
}

function applyArtifact(task: Task, artifact: Artifact, append: boolean): void {
  const fresh = copyOf(artifact);
  if (!task.artifacts) {
    task.artifacts = [fresh];
    return;
  }
  const known = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  if (known < 0) task.artifacts.push(fresh);
  else if (append) task.artifacts[known]!.parts.push(...artifact.parts);
  else task.artifacts[known] = fresh;
}

/** A copy that later events do not touch. */
export function frozenCopy({ id, contextId, status, artifacts, history, metadata }: Task): Task {
  const copy: Task = contextId === undefined ? { id, status } : { id, contextId, status };
  if (artifacts) copy.artifacts = artifacts.map(copyOf);
  if (history) copy.history = [...history];
  if (metadata) copy.metadata = metadata;
  return copy;
}

/** Member by member: what is made by spreading costs each object a shape of its own. */
function copyOf({ artifactId, name, description, parts, metadata, extensions }: Artifact): Artifact {
  const copy: Artifact =
    name === undefined ? { artifactId, parts: [...parts] } : { artifactId, name, parts: [...parts] };
  if (description !== undefined) copy.description = description;
  if (metadata) copy.metadata = metadata;
  if (extensions) copy.extensions = extensions;
  return copy;
}

import type { Artifact, Message, Task } from "@assay/protocol";
import type { TaskEvent } from "./store.ts";

/** Applies one event to a snapshot, in place. */
export function applyEvent(task: Task, event: TaskEvent): void {
  if (task.generation !== undefined && changes(event)) task.generation = nextGeneration(task.generation);
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

/** Returns true for an event that clients see: each has a generation of its own (AMB-55). */
export const changes = ({ is }: TaskEvent): boolean => is === "status" || is === "artifact";

/** Returns the generation after one more change. */
export const nextGeneration = (generation: string): string => String(BigInt(generation) + 1n);

/** Moves the agent's last message to the history before a newer one. */
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
  if (!task.artifacts) {
    task.artifacts = [copyOf(artifact)];
    return;
  }
  const known = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  if (known < 0) task.artifacts.push(copyOf(artifact));
  else if (append) task.artifacts[known]!.parts.push(...artifact.parts);
  else task.artifacts[known] = copyOf(artifact);
}

/** Returns a copy that later events do not change. */
export function frozenCopy({ id, contextId, status, artifacts, history, metadata, generation }: Task): Task {
  const copy: Task = contextId === undefined ? { id, status } : { id, contextId, status };
  if (artifacts) copy.artifacts = artifacts.map(copyOf);
  if (history) copy.history = [...history];
  if (metadata) copy.metadata = metadata;
  if (generation !== undefined) copy.generation = generation;
  return copy;
}

/** Copies member by member, because spreading would give each object its own shape. */
function copyOf({ artifactId, name, description, parts, metadata, extensions }: Artifact): Artifact {
  const copy: Artifact =
    name === undefined ? { artifactId, parts: [...parts] } : { artifactId, name, parts: [...parts] };
  if (description !== undefined) copy.description = description;
  if (metadata) copy.metadata = metadata;
  if (extensions) copy.extensions = extensions;
  return copy;
}

import {
  type Artifact,
  isTerminal,
  type JsonObject,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from "@assay/protocol/core";
import type { Extension, SkillEvent } from "../definition/skill.ts";
import type { TaskEvent } from "../store/store.ts";
import type { TaskIds } from "./task-ids.ts";
import { timestampOf } from "./timestamp.ts";

/**
 * Returns a task as one response shows it: at most the last `historyLength` messages, artifacts only if
 * requested. Parts that may still change are copied, because the task continues while the response is
 * written.
 */
export function viewOf(task: Task, historyLength: number | undefined, artifacts = true): Task {
  const view: Task = { id: task.id, contextId: task.contextId ?? "", status: task.status };
  const ended = isTerminal(task.status.state);
  if (artifacts && task.artifacts?.length) {
    view.artifacts = ended ? task.artifacts : task.artifacts.map((entry) => ({ ...entry, parts: [...entry.parts] }));
  }
  if (task.history?.length && historyLength !== 0) {
    const all = ended && historyLength === undefined;
    view.history = all ? task.history : task.history.slice(historyLength === undefined ? 0 : -historyLength);
  }
  if (task.metadata) view.metadata = task.metadata;
  if (task.generation !== undefined) view.generation = task.generation;
  return view;
}

/**
 * Converts a log event for subscribers and webhooks. Internal events give nothing. `generation` is that of the task
 * after the event, if the agent counts it.
 */
export function publicEvent(task: TaskIds, event: TaskEvent, generation?: string): StreamResponse | undefined {
  const { id: taskId, contextId } = task;
  switch (event.is) {
    case "created":
      return { task: event.task };
    case "status": {
      const statusUpdate: TaskStatusUpdateEvent = { taskId, contextId, status: event.status };
      if (event.metadata) statusUpdate.metadata = event.metadata;
      if (generation !== undefined) statusUpdate.generation = generation;
      return { statusUpdate };
    }
    case "artifact": {
      const artifactUpdate: TaskArtifactUpdateEvent = { taskId, contextId, artifact: event.artifact };
      if (event.append) artifactUpdate.append = true;
      if (event.lastChunk) artifactUpdate.lastChunk = true;
      if (event.metadata) artifactUpdate.metadata = event.metadata;
      if (generation !== undefined) artifactUpdate.generation = generation;
      return { artifactUpdate };
    }
    case "message":
    case "cancel-requested":
      return undefined;
  }
}

/** The additions of the active extensions to a message or an artifact: their names and metadata. */
export interface ExtensionMarks {
  extensions?: string[];
  metadata?: JsonObject;
}

const noMarks: ExtensionMarks = {};

export function marksOf(active: readonly Extension[], now: number, startedAt: number): ExtensionMarks {
  if (!active.length) return noMarks;
  return {
    extensions: active.map(({ uri }) => uri),
    metadata: Object.assign(
      {},
      ...active.map((extension) => ({ [extension.uri]: extension.metadata(now, startedAt) })),
    ),
  };
}

/** Converts a skill event to a log event. */
export function recordOf(
  event: SkillEvent,
  ids: TaskIds,
  stamp: { now: number; newId: () => string; marks: ExtensionMarks },
): TaskEvent {
  if (event.is === "artifact") {
    const { id, name, description, parts } = event;
    const artifactId = id ?? name;
    const artifact: Artifact =
      description === undefined ? { artifactId, name, parts } : { artifactId, name, description, parts };
    mark(artifact, stamp.marks);
    return { is: "artifact", artifact, append: event.append, lastChunk: event.lastChunk };
  }
  // A skill that answers a follow-up with a direct message is done.
  const state = event.is === "status" ? event.state : "TASK_STATE_COMPLETED";
  const timestamp = timestampOf(stamp.now);
  if (!event.parts) return { is: "status", status: { state, timestamp } };
  const message: Message = {
    messageId: stamp.newId(),
    contextId: ids.contextId,
    taskId: ids.id,
    role: "ROLE_AGENT",
    parts: event.parts,
  };
  mark(message, stamp.marks);
  return { is: "status", status: { state, message, timestamp } };
}

/**
 * Changes the object in place: most have no extensions, and spreading would give each object its own shape.
 */
export function mark(marked: Message | Artifact, { extensions, metadata }: ExtensionMarks): void {
  if (extensions) marked.extensions = extensions;
  if (metadata) marked.metadata = metadata;
}

/** Converts a client message for the history of its task. */
export function saidIn({ id, contextId }: TaskIds, message: Message): Message {
  const { messageId, role, parts, metadata, extensions, referenceTaskIds } = message;
  const said: Message = { messageId, role, parts, contextId, taskId: id };
  if (metadata) said.metadata = metadata;
  if (extensions) said.extensions = extensions;
  if (referenceTaskIds) said.referenceTaskIds = referenceTaskIds;
  return said;
}

import {
  type Artifact,
  isTerminal,
  type JsonObject,
  type Message,
  type StreamResponse,
  type Task,
} from "@assay/protocol";
import type { Extension, SkillEvent } from "../define.ts";
import type { TaskEvent } from "../store/store.ts";

/**
 * A task as one answer shows it: at most the `historyLength` last messages, artifacts only where asked for. What
 * may still change is copied, because the task goes on while the answer is being written.
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
  return view;
}

/** What subscribers and webhooks are told of an event of the log; nothing, for what only we keep. */
export function publicEvent(task: { id: string; contextId: string }, event: TaskEvent): StreamResponse | undefined {
  const ids = { taskId: task.id, contextId: task.contextId };
  switch (event.is) {
    case "created":
      return { task: event.task };
    case "status":
      return {
        statusUpdate: { ...ids, status: event.status, ...(event.metadata ? { metadata: event.metadata } : {}) },
      };
    case "artifact":
      return {
        artifactUpdate: {
          ...ids,
          artifact: event.artifact,
          ...(event.append ? { append: true } : {}),
          ...(event.lastChunk ? { lastChunk: true } : {}),
          ...(event.metadata ? { metadata: event.metadata } : {}),
        },
      };
    case "message":
    case "cancel-requested":
      return undefined;
  }
}

/** What the active extensions add to a message or an artifact: their names, and what they have to say. */
export interface ExtensionMarks {
  extensions?: string[];
  metadata?: JsonObject;
}

export function marksOf(active: readonly Extension[], now: number, startedAt: number): ExtensionMarks {
  if (!active.length) return {};
  return {
    extensions: active.map(({ uri }) => uri),
    metadata: Object.assign(
      {},
      ...active.map((extension) => ({ [extension.uri]: extension.metadata(now, startedAt) })),
    ),
  };
}

/** A skill's word as an event of the log. */
export function recordOf(
  event: SkillEvent,
  ids: { id: string; contextId: string },
  stamp: { now: number; newId: () => string; marks: ExtensionMarks },
): TaskEvent {
  if (event.is === "artifact") {
    const artifact: Artifact = {
      artifactId: event.id ?? event.name,
      name: event.name,
      ...(event.description === undefined ? {} : { description: event.description }),
      parts: event.parts,
      ...stamp.marks,
    };
    return { is: "artifact", artifact, append: event.append, lastChunk: event.lastChunk };
  }
  // A skill that answers a follow-up with a plain message has nothing left to do.
  const state = event.is === "status" ? event.state : "TASK_STATE_COMPLETED";
  const timestamp = new Date(stamp.now).toISOString();
  if (!event.parts) return { is: "status", status: { state, timestamp } };
  const message: Message = {
    messageId: stamp.newId(),
    contextId: ids.contextId,
    taskId: ids.id,
    role: "ROLE_AGENT",
    parts: event.parts,
    ...stamp.marks,
  };
  return { is: "status", status: { state, message, timestamp } };
}

import { defined } from "../../defined.ts";
import type { Artifact, Message, Part, Task, TaskStatus } from "../../model.ts";
import { assume, mendItems, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { has, type Release } from "../releases.ts";
import { readRole, readState, writeRole, writeState } from "../states.ts";
import { mendTaggedPart, readTaggedPart, writeTaggedPart } from "../tagged-part.ts";
import { readTimestamp } from "../timestamp.ts";
import type { ArtifactShape, MessageShape, PartShape, StatusShape, TaskShape } from "./shapes.ts";

/** Parts of 0.2 and 0.3 are tagged with `kind`; tagged-part.ts lists the losses. */
const mendPart = mendTaggedPart({ tag: "kind" });

const readParts = (parts: readonly PartShape[], place: ReadingPlace): Part[] =>
  parts.map((part, index) => readTaggedPart(part.kind, part, place.at(index)));

const writeParts = (parts: readonly Part[]): PartShape[] =>
  // The tag is computed, so the type cannot see it.
  parts.map((part) => writeTaggedPart("kind", part) as unknown as PartShape);

/** An artifact of 0.2 and 0.3 is a 1.0 artifact with tagged parts. Lost on output: `extensions` before 0.2.2. */
export const mendArtifact = mending((artifact, place) => {
  mendItems(artifact, "parts", place, mendPart);
});

export const readArtifact = (artifact: ArtifactShape, place: ReadingPlace): Artifact =>
  defined({
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: readParts(artifact.parts, place.at("parts")),
    metadata: artifact.metadata,
    extensions: artifact.extensions,
  });

export const writeArtifact = (artifact: Artifact, release: Release): ArtifactShape =>
  defined({
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: writeParts(artifact.parts),
    extensions: has(release, "extensions") ? artifact.extensions : undefined,
    metadata: artifact.metadata,
  });

/**
 * A message of 0.2 and 0.3: tagged with `kind`, roles in lower case, otherwise as in 1.0.
 *
 * Lost on output: `referenceTaskIds` before 0.2.1, `extensions` before 0.2.2.
 */
export const mendMessage = mending((message, place) => {
  // The request examples of the specification omit it.
  assume(message, "kind", "message", place);
  mendItems(message, "parts", place, mendPart);
});

export const readMessage = (message: MessageShape, place: ReadingPlace): Message =>
  defined({
    messageId: message.messageId,
    contextId: message.contextId,
    taskId: message.taskId,
    role: readRole(message.role),
    parts: readParts(message.parts, place.at("parts")),
    metadata: message.metadata,
    extensions: message.extensions,
    referenceTaskIds: message.referenceTaskIds,
  });

export const writeMessage = (message: Message, release: Release): MessageShape =>
  defined({
    kind: "message",
    messageId: message.messageId,
    role: writeRole(message.role),
    parts: writeParts(message.parts),
    contextId: message.contextId,
    taskId: message.taskId,
    referenceTaskIds: has(release, "referenceTaskIds") ? message.referenceTaskIds : undefined,
    extensions: has(release, "extensions") ? message.extensions : undefined,
    metadata: message.metadata,
  });

/** A status of 0.2 and 0.3: states are words, and timestamps may have an offset or no zone. Nothing is lost. */
export const mendStatus = mending((status, place) => {
  mendMember(status, "message", place, mendMessage);
});

export const readStatus = ({ state, message, timestamp }: StatusShape, place: ReadingPlace): TaskStatus =>
  defined({
    state: readState(state),
    message: message && readMessage(message, place.at("message")),
    timestamp: timestamp === undefined ? undefined : readTimestamp(timestamp, place.at("timestamp")),
  });

export const writeStatus = ({ state, message, timestamp }: TaskStatus, release: Release): StatusShape =>
  defined({ state: writeState(state), message: message && writeMessage(message, release), timestamp });

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

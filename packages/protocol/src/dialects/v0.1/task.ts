import { defined } from "../../defined.ts";
import type { Artifact, Message, Part, Task, TaskState, TaskStatus } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { assume, type Mend, mendId, mendItems, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { type RoleWord, readRole, readState, writeRole, writeState } from "../states.ts";
import { mendTaggedPart, readTaggedPart, writeTaggedPart } from "../tagged-part.ts";
import { readTimestamp } from "../timestamp.ts";
import type { ArtifactShape, MessageShape, PartShape, StateShape, StatusShape, TaskShape } from "./shapes.ts";

/**
 * Parts of 0.1 are tagged with `type`; tagged-part.ts lists the losses. The official page puts files under `data` or
 * writes them without base64, its text allows an array as data, and its schema allows an empty file. All of that is
 * accepted.
 */
const mendPart = mendTaggedPart({ tag: "type", loose: true });

const readParts = (parts: readonly PartShape[], place: ReadingPlace): Part[] =>
  parts.map((part, index) => readTaggedPart(part.type, part, place.at(index)));

const writeParts = (parts: readonly Part[]): PartShape[] =>
  // The tag is computed, so the type cannot see it.
  parts.map((part) => writeTaggedPart("type", part) as unknown as PartShape);

/**
 * An artifact of 0.1 is identified by its `index` in the task instead of an id. It is read as `v01-artifact-<index>`.
 * On output, indexes follow the order in which the exchange first sees each id.
 *
 * Lost on output: `artifactId`, `extensions`.
 */
const prefix = "v01-artifact-";

export const mendArtifact = mending((artifact, place) => {
  mendItems(artifact, "parts", place, mendPart);
});

export const readArtifact = (artifact: ArtifactShape, index: number, place: ReadingPlace): Artifact =>
  defined({
    artifactId: `${prefix}${index}`,
    name: artifact.name,
    description: artifact.description,
    parts: readParts(artifact.parts, place.at("parts")),
    metadata: artifact.metadata,
  });

/** Reads the artifacts of a task. Artifacts without an index, or with a duplicate, are numbered in order. */
function readArtifacts(artifacts: readonly ArtifactShape[], place: ReadingPlace): Artifact[] {
  const claimed = new Set(artifacts.map(({ index }) => index));
  const used = new Set<number>();
  let free = 0;
  return artifacts.map((artifact, position) => {
    let index = artifact.index;
    if (index !== undefined && used.has(index)) {
      place
        .at(position)
        .at("index")
        .note(`${index} is already used by another artifact; this artifact got the next free index`);
      index = undefined;
    }
    if (index === undefined) {
      while (claimed.has(free) || used.has(free)) free++;
      index = free;
    }
    used.add(index);
    return readArtifact(artifact, index, place.at(position));
  });
}

export const writeArtifact = (artifact: Artifact, exchange: DialectExchange): ArtifactShape =>
  defined({
    index: indexOf(artifact.artifactId, exchange),
    name: artifact.name,
    description: artifact.description,
    parts: writeParts(artifact.parts),
    metadata: artifact.metadata,
  });

function indexOf(artifactId: string, { artifactIndexes }: DialectExchange): number {
  const known = artifactIndexes.get(artifactId);
  if (known !== undefined) return known;
  const taken = new Set(artifactIndexes.values());
  // An artifact that came from 0.1 keeps its own index.
  const own = new RegExp(`^${prefix}(\\d{1,9})$`).exec(artifactId)?.[1];
  let index = own === undefined ? 0 : Number(own);
  while (taken.has(index)) index++;
  artifactIndexes.set(artifactId, index);
  return index;
}

/** The task and context of a 0.1 payload. Messages name neither, events only the task. */
interface TaskOwner {
  readonly taskId: string;
  readonly contextId?: string;
}

const contextFor = (taskId: string): string => `v01-context-${taskId}`;

/**
 * Returns the owner of an event. 1.0 requires a context that 0.1 does not write: the session of the request, or a
 * generated name.
 */
export const ownerOf = (taskId: string, { contextId }: DialectExchange): Required<TaskOwner> => ({
  taskId,
  contextId: contextId ?? contextFor(taskId),
});

/** Returns the session to write. A context that was generated for reading is not one. */
export const sessionOf = ({ taskId, contextId }: TaskOwner): string | undefined =>
  contextId === contextFor(taskId) ? undefined : contextId;

/**
 * A message of 0.1 is a role and parts: it has no id and names no task. It is read with a generated id (`v01-…`) and
 * the task and context around it.
 *
 * Lost on output: `messageId`, `extensions`, `referenceTaskIds`, and the message's own `taskId` and `contextId`.
 */
export const mendMessage = (role?: RoleWord): Mend =>
  mending((message, place) => {
    if (role) assume(message, "role", role, place);
    mendItems(message, "parts", place, mendPart);
  });

export const readMessage = (
  { role, parts, metadata }: MessageShape,
  { taskId, contextId }: Partial<TaskOwner>,
  exchange: DialectExchange,
  place: ReadingPlace,
): Message =>
  defined({
    messageId: `v01-${exchange.newId()}`,
    contextId,
    taskId,
    role: readRole(role),
    parts: readParts(parts, place.at("parts")),
    metadata,
  });

export const writeMessage = ({ role, parts, metadata }: Message): MessageShape =>
  defined({ role: writeRole(role), parts: writeParts(parts), metadata });

/**
 * A status of 0.1. Its message may lack a role; in a status the agent is the sender.
 *
 * Lost on output: states that 0.1 lacks. A rejected task becomes failed, and one that waits for authentication becomes
 * input-required.
 */
export const mendStatus = mending((status, place) => {
  mendMember(status, "message", place, mendMessage("agent"));
});

export const readStatus = (
  { state, message, timestamp }: StatusShape,
  owner: Partial<TaskOwner>,
  exchange: DialectExchange,
  place: ReadingPlace,
): TaskStatus =>
  defined({
    state: readState(state),
    message: message && readMessage(message, owner, exchange, place.at("message")),
    timestamp: timestamp === undefined ? undefined : readTimestamp(timestamp, place.at("timestamp")),
  });

export const writeStatus = ({ state, message, timestamp }: TaskStatus): StatusShape =>
  defined({ state: writeOlderState(state), message: message && writeMessage(message), timestamp });

function writeOlderState(state: TaskState): StateShape {
  const word = writeState(state);
  if (word === "rejected") return "failed";
  return word === "auth-required" ? "input-required" : word;
}

/**
 * A task of 0.1: the context is called `sessionId`. A server that got none may omit it, and the context of the exchange
 * is then used, if known. Nothing is lost except what messages, states and artifacts lose.
 */
export const mendTask =
  (exchange: DialectExchange): Mend =>
  (json, place) =>
    mending((task) => {
      mendId(task, place, exchange.taskId);
      mendMember(task, "status", place, mendStatus);
      mendItems(task, "artifacts", place, mendArtifact);
      mendItems(task, "history", place, mendMessage());
    })(json, place);

export function readTask(task: TaskShape, exchange: DialectExchange, place: ReadingPlace): Task {
  const { id, sessionId: contextId = exchange.contextId, status, artifacts, history, metadata } = task;
  const owner = defined({ taskId: id, contextId });
  return defined({
    id,
    contextId,
    status: readStatus(status, owner, exchange, place.at("status")),
    artifacts: artifacts && readArtifacts(artifacts, place.at("artifacts")),
    history: history?.map((message, index) => readMessage(message, owner, exchange, place.at("history").at(index))),
    metadata,
  });
}

export function writeTask(task: Task, exchange: DialectExchange): TaskShape {
  const { id, contextId, status, artifacts, history, metadata } = task;
  return defined({
    id,
    sessionId: sessionOf(defined({ taskId: id, contextId })),
    status: writeStatus(status),
    artifacts: artifacts?.map((artifact) => writeArtifact(artifact, exchange)),
    history: history?.map(writeMessage),
    metadata,
  });
}

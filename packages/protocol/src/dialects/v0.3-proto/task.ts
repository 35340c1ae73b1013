import { defined } from "../../defined.ts";
import type {
  Artifact as ArtifactShape,
  TaskStatus as StatusShape,
  Task as TaskShape,
} from "../../generated/model-0.3-proto.ts";
import type { Artifact, Task, TaskStatus } from "../../model.ts";
import { readMessage, writeMessage } from "./message.ts";
import { readPart, writePart } from "./part.ts";

/**
 * Tasks of `a2a.v1` differ from 1.0 only in parts and in one letter: canceled is spelled `CANCELLED`. Nothing is lost.
 */
export const readStatus = ({ state, message, timestamp }: StatusShape): TaskStatus =>
  defined({
    state: state === "TASK_STATE_CANCELLED" ? "TASK_STATE_CANCELED" : state,
    message: message && readMessage(message),
    timestamp,
  });

export const writeStatus = ({ state, message, timestamp }: TaskStatus): StatusShape =>
  defined({
    state: state === "TASK_STATE_CANCELED" ? "TASK_STATE_CANCELLED" : state,
    message: message && writeMessage(message),
    timestamp,
  });

export const readArtifact = (artifact: ArtifactShape): Artifact => ({
  ...artifact,
  parts: artifact.parts.map(readPart),
});

export const writeArtifact = (artifact: Artifact): ArtifactShape => ({
  ...artifact,
  parts: artifact.parts.map(writePart),
});

export const readTask = ({ status, artifacts, history, ...task }: TaskShape): Task =>
  defined({
    ...task,
    status: readStatus(status),
    artifacts: artifacts?.map(readArtifact),
    history: history?.map(readMessage),
  });

export const writeTask = ({ status, artifacts, history, ...task }: Task): TaskShape =>
  defined({
    ...task,
    status: writeStatus(status),
    artifacts: artifacts?.map(writeArtifact),
    history: history?.map(writeMessage),
  });

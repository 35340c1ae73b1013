import { defined } from "../../defined.ts";
import type {
  Artifact as ArtifactShape,
  Message as MessageShape,
  Part as PartShape,
  TaskStatus as StatusShape,
  Task as TaskShape,
} from "../../generated/model-0.3-proto.ts";
import type { Artifact, Message, Part, Task, TaskStatus } from "../../model.ts";
import { readStructured, writeStructured } from "../structured.ts";

/**
 * A part of `a2a.v1`: as in 1.0 the member that is present determines the kind, but files and data have their own
 * messages. SDKs ship `metadata` and the file's `name` beyond the release tag; peers without them ignore both. Python
 * encodes inline bytes twice; the message does not show it, so the bytes stay unchanged.
 *
 * Lost on output: `filename` and `mediaType` of text and data parts.
 */
function readPart({ text, file, data, metadata }: PartShape): Part {
  if (text !== undefined) return defined({ text, metadata });
  if (data) return readStructured(defined({ data: data.data, metadata }));
  const { fileWithBytes, fileWithUri, name, mimeType } = file!;
  return defined({ raw: fileWithBytes, url: fileWithUri, filename: name, mediaType: mimeType, metadata });
}

function writePart({ text, raw, url, data, filename, mediaType, metadata }: Part): PartShape {
  if (text !== undefined) return defined({ text, metadata });
  if (raw === undefined && url === undefined) {
    const structured = writeStructured(data ?? null, metadata);
    return defined({ data: { data: structured.data }, metadata: structured.metadata });
  }
  const file = defined({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename });
  return defined({ file, metadata });
}

/** A message of `a2a.v1`: its parts are called `content`. Lost on output: `referenceTaskIds`. */
export const readMessage = ({ content, ...message }: MessageShape): Message => ({
  ...message,
  parts: content.map(readPart),
});

export const writeMessage = ({ parts, referenceTaskIds: _, ...message }: Message): MessageShape => ({
  ...message,
  content: parts.map(writePart),
});

/**
 * Tasks of `a2a.v1` differ from 1.0 only in parts and in one letter: canceled is spelled `CANCELLED`. Lost on output:
 * `generation`, which comes with 1.1.
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

export const writeTask = ({ status, artifacts, history, generation: _draft, ...task }: Task): TaskShape =>
  defined({
    ...task,
    status: writeStatus(status),
    artifacts: artifacts?.map(writeArtifact),
    history: history?.map(writeMessage),
  });

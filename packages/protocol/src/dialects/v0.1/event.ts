import { defined } from "../../defined.ts";
import type { StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { isFinal } from "../final.ts";
import { type Mend, mendId, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { isMessageReply, readMessageReply, writeMessageEvent } from "./message-reply.ts";
import type { EventShape } from "./shapes.ts";
import { mendArtifact, mendStatus, ownerOf, readArtifact, readStatus, writeArtifact, writeStatus } from "./task.ts";

/**
 * Events of 0.1 are statuses and artifacts. No task introduces them, and none names a context.
 *
 * On output, the task that opens a 1.0 stream becomes a status event and one event per artifact. On input, that task is
 * built from the first event. `append` and `lastChunk` are members of the artifact. `final` is computed (final.ts), and
 * nothing is written after it.
 *
 * Lost on output: the history of the opening task, and the context of every event unless the exchange knows it.
 */
export const mendEvent =
  (exchange: DialectExchange): Mend =>
  (json, place) =>
    mending((event) => {
      mendId(event, place, exchange.taskId);
      mendMember(event, "status", place, mendStatus);
      mendMember(event, "artifact", place, mendArtifact);
    })(json, place);

export function readEvent(event: EventShape, exchange: DialectExchange, place: ReadingPlace): StreamResponse[] {
  const { id, status, artifact, metadata } = event;
  const owner = ownerOf(id, exchange);
  const introduced = exchange.introduced ?? false;
  exchange.introduced = true;
  if (artifact) {
    const read = readArtifact(artifact, artifact.index ?? 0, place.at("artifact"));
    const { append, lastChunk } = artifact;
    const artifactUpdate = { ...owner, artifact: read, ...defined({ append, lastChunk, metadata }) };
    return introduced ? [{ artifactUpdate }] : [{ task: working(owner) }, { artifactUpdate }];
  }
  if (isMessageReply(event)) {
    const message = readMessageReply({ status: status! }, exchange, place);
    if (message) return [{ message }];
  }
  const read = readStatus(status!, owner, exchange, place.at("status"));
  if (introduced) return [{ statusUpdate: { ...owner, status: read, ...defined({ metadata }) } }];
  return [{ task: { id, contextId: owner.contextId, status: read, ...defined({ metadata }) } }];
}

const working = ({ taskId, contextId }: Required<ReturnType<typeof ownerOf>>): Task => ({
  id: taskId,
  contextId,
  status: { state: "TASK_STATE_WORKING" },
});

export function writeEvent(event: StreamResponse, exchange: DialectExchange, last: boolean): EventShape[] {
  if (exchange.ended) return [];
  const frames = framesOf(event, exchange, last);
  exchange.ended = frames.some(({ final }) => final);
  return frames;
}

function framesOf(event: StreamResponse, exchange: DialectExchange, last: boolean): EventShape[] {
  const { task, message, statusUpdate, artifactUpdate } = event;
  if (message) return [writeMessageEvent(message, exchange)];
  if (statusUpdate) return [statusFrame(statusUpdate, last)];
  if (artifactUpdate) return [artifactFrame(artifactUpdate, exchange)];
  const { id: taskId, contextId = "", status, artifacts = [], metadata } = task!;
  const opening = statusFrame({ taskId, contextId, status, ...defined({ metadata }) }, last);
  const content = artifacts.map((artifact) => artifactFrame({ taskId, contextId, artifact }, exchange));
  // A final event must be the last one.
  return opening.final ? [...content, opening] : [opening, ...content];
}

const statusFrame = ({ taskId, status, metadata }: TaskStatusUpdateEvent, last: boolean): EventShape =>
  defined({ id: taskId, status: writeStatus(status), final: isFinal(status.state, last), metadata });

const artifactFrame = (
  { taskId, artifact, append, lastChunk, metadata }: TaskArtifactUpdateEvent,
  exchange: DialectExchange,
): EventShape =>
  defined({
    id: taskId,
    artifact: { ...writeArtifact(artifact, exchange), ...defined({ append, lastChunk }) },
    metadata,
  });

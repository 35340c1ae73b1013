import { defined } from "../../defined.ts";
import { isObject } from "../../json.ts";
import type { StreamResponse } from "../../model.ts";
import { isFinal } from "../final.ts";
import { assume, type Mend, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import type { Release } from "../releases.ts";
import type { EventShape } from "./shapes.ts";
import {
  mendArtifact,
  mendMessage,
  mendStatus,
  mendTask,
  readArtifact,
  readMessage,
  readStatus,
  readTask,
  writeArtifact,
  writeMessage,
  writeStatus,
  writeTask,
} from "./task.ts";

/**
 * An event of 0.2 and 0.3 has no wrapper: `kind` names one of four types. `final` in a status update says whether the
 * stream ends (final.ts).
 */
export const mendEvent: Mend = (json, place) =>
  (mends.get(isObject(json) ? json["kind"] : undefined) ?? ((other) => other))(json, place);

const mends = new Map<unknown, Mend>(
  Object.entries({
    task: mendTask,
    message: mendMessage,
    "status-update": mending((event, place) => {
      // The specification calls it optional, and some agents never send it.
      assume(event, "final", false, place);
      mendMember(event, "status", place, mendStatus);
    }),
    "artifact-update": mending((event, place) => {
      mendMember(event, "artifact", place, mendArtifact);
    }),
  }),
);

export function readEvent(event: EventShape, place: ReadingPlace): StreamResponse {
  switch (event.kind) {
    case "task":
      return { task: readTask(event, place) };
    case "message":
      return { message: readMessage(event, place) };
    case "status-update": {
      const { taskId, contextId, status, metadata } = event;
      return {
        statusUpdate: defined({ taskId, contextId, status: readStatus(status, place.at("status")), metadata }),
      };
    }
    case "artifact-update": {
      const { taskId, contextId, artifact, append, lastChunk, metadata } = event;
      const read = readArtifact(artifact, place.at("artifact"));
      return { artifactUpdate: defined({ taskId, contextId, artifact: read, append, lastChunk, metadata }) };
    }
  }
}

export function writeEvent(event: StreamResponse, release: Release, last: boolean): EventShape {
  const { task, message, statusUpdate, artifactUpdate } = event;
  if (task) return writeTask(task, release);
  if (message) return writeMessage(message, release);
  if (statusUpdate) {
    const { taskId, contextId, status, metadata } = statusUpdate;
    return defined({
      kind: "status-update",
      taskId,
      contextId,
      status: writeStatus(status, release),
      final: isFinal(status.state, last),
      metadata,
    });
  }
  const { artifact, generation: _draft, ...rest } = artifactUpdate!;
  return { kind: "artifact-update", ...rest, artifact: writeArtifact(artifact, release) };
}

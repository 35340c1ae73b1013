import type { StreamResponse as EventShape } from "../../generated/model-0.3-proto.ts";
import type { StreamResponse } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { isFinal } from "../final.ts";
import {
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
 * An event of `a2a.v1` has the wrapper of 1.0, and `final` in its status updates (final.ts). An update without a
 * context is valid here but not in 1.0: it gets the context of the exchange, or one named after the task.
 */
export function readEvent(event: EventShape, exchange: DialectExchange): StreamResponse {
  const { task, message, statusUpdate, artifactUpdate } = event;
  if (task) return { task: readTask(task) };
  if (message) return { message: readMessage(message) };
  if (statusUpdate) {
    const { final: _, status, contextId, ...update } = statusUpdate;
    return {
      statusUpdate: { ...update, contextId: contextId || contextOf(update, exchange), status: readStatus(status) },
    };
  }
  const { artifact, contextId, ...update } = artifactUpdate!;
  return {
    artifactUpdate: {
      ...update,
      contextId: contextId || contextOf(update, exchange),
      artifact: readArtifact(artifact),
    },
  };
}

const contextOf = ({ taskId }: { taskId: string }, { contextId = taskId }: DialectExchange): string => contextId;

export function writeEvent(event: StreamResponse, last: boolean): EventShape {
  const { task, message, statusUpdate, artifactUpdate } = event;
  if (task) return { task: writeTask(task) };
  if (message) return { message: writeMessage(message) };
  if (statusUpdate) {
    const { status, generation: _draft, ...update } = statusUpdate;
    const final = isFinal(status.state, last);
    return { statusUpdate: { ...update, status: writeStatus(status), ...(final ? { final } : {}) } };
  }
  const { artifact, generation: _draft, ...update } = artifactUpdate!;
  return { artifactUpdate: { ...update, artifact: writeArtifact(artifact) } };
}

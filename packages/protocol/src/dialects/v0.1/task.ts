import { defined } from "../../defined.ts";
import type { Task } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { type Mend, mendId, mendItems, mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { mendArtifact, readArtifacts, writeArtifact } from "./artifact.ts";
import { mendMessage, readMessage, writeMessage } from "./message.ts";
import { sessionOf } from "./owner.ts";
import type { TaskShape } from "./shapes.ts";
import { mendStatus, readStatus, writeStatus } from "./status.ts";

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

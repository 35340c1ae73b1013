import { defined } from "../../defined.ts";
import type { TaskState, TaskStatus } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { readState, writeState } from "../states.ts";
import { readTimestamp } from "../timestamp.ts";
import { mendMessage, readMessage, writeMessage } from "./message.ts";
import type { TaskOwner } from "./owner.ts";
import type { StateShape, StatusShape } from "./shapes.ts";

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

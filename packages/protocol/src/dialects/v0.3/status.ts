import { defined } from "../../defined.ts";
import type { TaskStatus } from "../../model.ts";
import { mending, mendMember } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import type { Release } from "../releases.ts";
import { readState, writeState } from "../states.ts";
import { readTimestamp } from "../timestamp.ts";
import { mendMessage, readMessage, writeMessage } from "./message.ts";
import type { StatusShape } from "./shapes.ts";

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

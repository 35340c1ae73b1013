import { defined } from "../../defined.ts";
import type { Message } from "../../model.ts";
import { assume, mendItems, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { has, type Release } from "../releases.ts";
import { readRole, writeRole } from "../states.ts";
import { mendPart, readParts, writeParts } from "./part.ts";
import type { MessageShape } from "./shapes.ts";

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

import { defined } from "../../defined.ts";
import type { Message } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { assume, type Mend, mendItems, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { type RoleWord, readRole, writeRole } from "../states.ts";
import type { TaskOwner } from "./owner.ts";
import { mendPart, readParts, writeParts } from "./part.ts";
import type { MessageShape } from "./shapes.ts";

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

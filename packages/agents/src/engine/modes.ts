import { A2AError, type Message, type Part } from "@assay/protocol/core";
import type { SkillEvent } from "../definition/skill.ts";

/** Returns the media type of a part, or its default. */
const typeOf = (part: Part): string =>
  part.mediaType ??
  (part.text !== undefined ? "text/plain" : part.data !== undefined ? "application/json" : "application/octet-stream");

const bare = (type: string): string => type.split(";", 1)[0]!.trim().toLowerCase();

/** Returns true if a mode such as `image/png`, `image/*` or `*` + `/*` covers a type. */
export function covers(mode: string, type: string): boolean {
  const [wanted, given] = [bare(mode), bare(type)];
  if (wanted === given || wanted === "*/*") return true;
  return wanted.endsWith("/*") && given.startsWith(wanted.slice(0, -1));
}

/**
 * Rejects a message whose parts declare a type that the agent does not accept. Parts without a type are
 * accepted. `alsoMetadata` also checks a `contentType` in a part's metadata.
 */
export function checkInputModes(message: Message, modes: readonly string[], alsoMetadata = false): void {
  message.parts.forEach((part, index) => {
    const told = part.mediaType || (alsoMetadata ? part.metadata?.["contentType"] : undefined);
    if (typeof told !== "string" || told === "" || modes.some((mode) => covers(mode, told))) return;
    throw new A2AError(
      "ContentTypeNotSupported",
      `This agent does not accept ${told.slice(0, 80)} (message.parts[${index}]). It accepts ${modes.join(", ")}`,
      { facts: { mediaType: told.slice(0, 80) } },
    );
  });
}

/**
 * Removes artifact parts that the client does not accept. If the agent can meet none of the accepted types,
 * they are ignored: the specification is silent, and an answer helps more than an empty one (AMB-36).
 */
export function shapeOutput(event: SkillEvent, accepted: readonly string[] | undefined): SkillEvent | undefined {
  if (event.is !== "artifact" || !accepted?.length) return event;
  const parts = event.parts.filter((part) => accepted.some((mode) => covers(mode, typeOf(part))));
  if (parts.length === event.parts.length) return event;
  return parts.length ? { ...event, parts } : undefined;
}

import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/** Members that describe the course of a conversation, not its content: ids, states, kinds, times, codes. */
const kept = new Set([
  "@type",
  "acceptedOutputModes",
  "artifactId",
  "code",
  "configId",
  "contextId",
  "domain",
  "extensions",
  "id",
  "jsonrpc",
  "kind",
  "mediaType",
  "messageId",
  "method",
  "mimeType",
  "nextPageToken",
  "pageToken",
  "pushNotificationConfigId",
  "reason",
  "referenceTaskIds",
  "role",
  "sessionId",
  "state",
  "status",
  "taskId",
  "tenant",
  "timestamp",
  "type",
]);

/** Matches one word without spaces: longer texts and sentences are always content. */
export const isToken = (text: string): boolean => /^[\w.:@/+=~*-]{1,200}$/.test(text);

/** Members with free-form content. */
const freeForm = new Set(["data", "metadata", "raw", "bytes"]);

/** ProtoJSON writes bytes as Base64, so their replacement must be Base64 too. */
const bytesOfProtobuf = new Set(["raw", "bytes", "fileWithBytes"]);

const isRedacted = (text: string): boolean => text.startsWith("«redacted");

const stand = (size: number, unit: string): string => `«redacted: ${size} ${unit}»`;

/** Returns a placeholder that states the length of the removed text. */
export const redactedText = (text: string): string =>
  text === "" || isRedacted(text) ? text : stand(text.length, "characters");

export interface JsonRedaction {
  /** receives every removed text */
  readonly take: (text: string) => void;
  /** the result is encoded as protobuf again */
  readonly isProtobuf?: boolean;
}

/** Removes the content and keeps member names, ids, states and sizes. */
export function redactedJson(json: JsonValue, redaction: JsonRedaction): JsonValue {
  return walk(json, "", "", redaction);
}

function walk(value: JsonValue, member: string, parent: string, redaction: JsonRedaction): JsonValue {
  // The `data` of a JSON-RPC error lists reasons and is not part of the conversation.
  if (freeForm.has(member) && parent !== "error") return contentless(value, member, redaction);
  if (typeof value === "string") {
    if (redaction.isProtobuf && bytesOfProtobuf.has(member)) return "";
    return kept.has(member) && isToken(value) ? value : taken(value, redaction);
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, member, parent, redaction));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, inner]) => [
      nameOf(name, redaction),
      walk(inner, name, member, redaction),
    ]),
  );
}

function taken(text: string, { take }: JsonRedaction): string {
  if (!isRedacted(text)) take(text);
  return redactedText(text);
}

/** Member names are protocol words, so a sentence in place of one is removed. */
const nameOf = (name: string, redaction: JsonRedaction): string =>
  /^[@$\w-]{1,60}$/.test(name) ? name : taken(name, redaction);

/** Keeps only the kind and size of a value of unknown structure. */
function contentless(value: JsonValue, member: string, redaction: JsonRedaction): JsonValue {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.includes("«redacted")) return value;
  redaction.take(text);
  if (typeof value === "string") return redaction.isProtobuf && bytesOfProtobuf.has(member) ? "" : redactedText(text);
  if (Array.isArray(value)) return value.length ? [stand(text.length, "characters")] : [];
  if (isObject(value)) return Object.keys(value).length ? { "«redacted»": stand(text.length, "characters") } : {};
  return typeof value === "number" ? 0 : value === null ? null : false;
}

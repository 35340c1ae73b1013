import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/** Members that say how a conversation goes, and not what about: ids, states, kinds, times, codes. */
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

/** One word without a space: what is longer than an id or holds a sentence is content, wherever it stands. */
export const isToken = (text: string): boolean => /^[\w.:@/+=~*-]{1,200}$/.test(text);

/** Members that hold whatever the parties like. */
const freeForm = new Set(["data", "metadata", "raw", "bytes"]);

/** Bytes of protobuf are Base64 in its JSON; what stands for them has to be, too. */
const bytesOfProtobuf = new Set(["raw", "bytes", "fileWithBytes"]);

const isRedacted = (text: string): boolean => text.startsWith("«redacted");

const stand = (size: number, unit: string): string => `«redacted: ${size} ${unit}»`;

/** A text that stands for another, and tells its length. */
export const redactedText = (text: string): string =>
  text === "" || isRedacted(text) ? text : stand(text.length, "characters");

export interface JsonRedaction {
  /** is told every text that was taken out */
  readonly take: (text: string) => void;
  /** it is written as protobuf again */
  readonly isProtobuf?: boolean;
}

/** The same form with other words: names of members, ids, states and sizes stay, contents go. */
export function redactedJson(json: JsonValue, redaction: JsonRedaction): JsonValue {
  return walk(json, "", "", redaction);
}

function walk(value: JsonValue, member: string, parent: string, redaction: JsonRedaction): JsonValue {
  // What JSON-RPC calls the data of an error is a list of reasons, and not of the conversation.
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

/** Names of members are words of the protocol; a sentence in the place of one is not. */
const nameOf = (name: string, redaction: JsonRedaction): string =>
  /^[@$\w-]{1,60}$/.test(name) ? name : taken(name, redaction);

/** Of what is of no known form nothing stays but what kind it is, and how much of it there was. */
function contentless(value: JsonValue, member: string, redaction: JsonRedaction): JsonValue {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.includes("«redacted")) return value;
  redaction.take(text);
  if (typeof value === "string") return redaction.isProtobuf && bytesOfProtobuf.has(member) ? "" : redactedText(text);
  if (Array.isArray(value)) return value.length ? [stand(text.length, "characters")] : [];
  if (isObject(value)) return Object.keys(value).length ? { "«redacted»": stand(text.length, "characters") } : {};
  return typeof value === "number" ? 0 : value === null ? null : false;
}

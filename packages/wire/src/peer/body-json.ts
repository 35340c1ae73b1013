import { type JsonObject, type JsonValue, parseJson } from "@assay/protocol";
import type { SseEvent } from "../recording/exchange.ts";

type Parsed = { readonly json: JsonValue } | { readonly error: unknown };

const read = new WeakMap<Uint8Array | SseEvent, Parsed>();

/** Parses the JSON of a body once for all readers, which must not change it. Throws if it is not JSON. */
export const bodyJson = (body: Uint8Array): JsonValue => parsedOnce(body, () => textOf(body));

/**
 * The same for an event of a stream. A stream may have 32 MiB, and each check that parsed it again would double what it
 * takes.
 */
export const eventJson = (event: SseEvent): JsonValue =>
  parsedOnce(event, () => event.data, event.data.length > longEvent ? (json) => within(event.data, json) : undefined);

/** Characters of an event that is worth sharing. */
const longEvent = 4_096;

/**
 * Replaces long texts of a value with the same texts within its JSON. JSON.parse copies them, so a long stream would
 * take twice its size. A text is long if it is a quarter of its event, so no event is searched more than four times.
 */
function within(data: string, value: JsonValue): JsonValue {
  if (typeof value === "string") {
    const start = 4 * value.length > data.length ? data.indexOf(value) : -1;
    return start === -1 ? value : data.slice(start, start + value.length);
  }
  if (typeof value !== "object" || value === null) return value;
  const members = value as JsonObject;
  for (const name of Object.keys(members)) members[name] = within(data, members[name]!);
  return value;
}

function parsedOnce(
  source: Uint8Array | SseEvent,
  text: () => string,
  change: (json: JsonValue) => JsonValue = (json) => json,
): JsonValue {
  let known = read.get(source);
  if (!known) {
    known = parsed(text());
    if ("json" in known) known = { json: change(known.json) };
    read.set(source, known);
  }
  if ("error" in known) throw known.error;
  return known.json;
}

function parsed(text: string): Parsed {
  try {
    return { json: parseJson(text) };
  } catch (error) {
    return { error };
  }
}

/** Returns a body as text. `Buffer.from(body)` would copy it first. */
export const textOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");

/** Returns true if a body is empty or only whitespace. */
export const isBlank = (body: Uint8Array): boolean => body.length < longestBlank && textOf(body).trim() === "";

/** Longer whitespace is not an empty body. */
const longestBlank = 1_024;

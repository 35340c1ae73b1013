import { type JsonValue, parseJson } from "@assay/protocol";
import type { SseEvent } from "../recording/exchange.ts";

type Parsed = { readonly json: JsonValue } | { readonly error: unknown };

const read = new WeakMap<Uint8Array | SseEvent, Parsed>();

/** Parses the JSON of a body once for all readers, which must not change it. Throws if it is not JSON. */
export const bodyJson = (body: Uint8Array): JsonValue => parsedOnce(body, () => textOf(body));

/**
 * The same for an event of a stream. A stream may have 32 MiB, and each check that parsed it again would double what it
 * takes.
 */
export const eventJson = (event: SseEvent): JsonValue => parsedOnce(event, () => event.data);

function parsedOnce(source: Uint8Array | SseEvent, text: () => string): JsonValue {
  let known = read.get(source);
  if (!known) {
    known = parsed(text());
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

const textOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");

/** Returns true if a body is empty or only whitespace. */
export const isBlank = (body: Uint8Array): boolean => body.length < longestBlank && textOf(body).trim() === "";

/** Longer whitespace is not an empty body. */
const longestBlank = 1_024;

import { type JsonValue, parseJson } from "@assay/protocol";

const read = new WeakMap<Uint8Array, { readonly json: JsonValue } | { readonly error: unknown }>();

/** Parses the JSON of a body once for all readers, which must not change it. Throws if it is not JSON. */
export function bodyJson(body: Uint8Array): JsonValue {
  let known = read.get(body);
  if (!known) {
    known = parsed(body);
    read.set(body, known);
  }
  if ("error" in known) throw known.error;
  return known.json;
}

function parsed(body: Uint8Array): { readonly json: JsonValue } | { readonly error: unknown } {
  try {
    return { json: parseJson(textOf(body)) };
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

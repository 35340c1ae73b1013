import { type JsonValue, parseJson } from "@assay/protocol";

const read = new WeakMap<Uint8Array, { readonly json: JsonValue } | { readonly error: unknown }>();

/** The JSON of a body, parsed once for all that read it, none of which changes it; throws where it is no JSON. */
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

/** Nothing is said, or only white space. */
export const isBlank = (body: Uint8Array): boolean => body.length < longestBlank && textOf(body).trim() === "";

/** More white space than this is no way to say nothing. */
const longestBlank = 1_024;

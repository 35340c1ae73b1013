export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text that is no JSON, or that nests deeper than we follow. */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

/** ProtoJSON readers stop at 100 levels; what is legal for them is legal for us. */
const maxDepth = 100;

// Both Node and browsers have it; this package is compiled with the types of neither.
declare const TextDecoder: new (
  label: string,
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

// A byte order mark is no JSON (RFC 8259 §8.1), so it is not dropped.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;

/**
 * JSON with a bound on nesting. The engine parses any depth, but printing a value
 * that is 100,000 levels deep overflows the stack, so the text is measured first.
 */
export function parseJson(text: string): JsonValue {
  // Too short to nest that deep: every level takes an opening and a closing bracket.
  if (text.length > 2 * maxDepth) checkDepth(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new JsonError("the body is not valid JSON", { cause });
  }
}

/** The JSON that a text or a body holds; undefined for anything else, and for JSON that nests too deep. */
export function jsonIn(content: string | Uint8Array | undefined): JsonValue | undefined {
  if (content === undefined) return undefined;
  try {
    return parseJson(typeof content === "string" ? content : utf8.decode(content));
  } catch {
    return undefined;
  }
}

/** The same, where it is an object. */
export function jsonObjectIn(content: string | Uint8Array | undefined): JsonObject | undefined {
  const json = jsonIn(content);
  return isObject(json) ? (json as JsonObject) : undefined;
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      // Skip the string: find its closing quote, stepping over escaped characters.
      for (i++; i < text.length; i++) {
        const inner = text.charCodeAt(i);
        if (inner === backslash) i++;
        else if (inner === quote) break;
      }
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw new JsonError(`the JSON nests deeper than ${maxDepth} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

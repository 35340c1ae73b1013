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

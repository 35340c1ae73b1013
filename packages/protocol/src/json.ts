export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text that is not JSON, or that nests too deep. */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

/** ProtoJSON readers stop at 100 levels; we accept whatever they accept. */
const maxDepth = 100;

// Node and browsers both have it; this package is compiled with the types of neither.
declare const TextDecoder: new (
  label: string,
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

// A byte order mark is not valid JSON (RFC 8259 §8.1), so it is not dropped.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;

/**
 * Parses JSON with a limit on nesting. The engine parses any depth, but printing a value that is 100,000 levels deep
 * overflows the stack, so the depth is checked first.
 */
export function parseJson(text: string): JsonValue {
  // Shorter texts cannot nest that deep: every level needs an opening and a closing bracket.
  if (text.length > 2 * maxDepth) checkDepth(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new JsonError("the body is not valid JSON", { cause });
  }
}

/** Returns a JSON value as text. `String` throws for an object with a member called toString. */
export const writtenText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Parses the JSON in a text or body. Returns undefined if it is not JSON or nests too deep. */
export function jsonIn(content: string | Uint8Array | undefined): JsonValue | undefined {
  if (content === undefined) return undefined;
  try {
    return parseJson(typeof content === "string" ? content : utf8.decode(content));
  } catch {
    return undefined;
  }
}

/** The same, but only for a JSON object. */
export function jsonObjectIn(content: string | Uint8Array | undefined): JsonObject | undefined {
  const json = jsonIn(content);
  return isObject(json) ? (json as JsonObject) : undefined;
}

/**
 * Returns the name of a member that an object of this JSON text has twice. Parsers differ in which of the two they keep.
 */
export function duplicateMember(text: string): string | undefined {
  /** the members of each open object; undefined for a list */
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      const start = i;
      i = endOfString(text, i);
      if (!isName(text, i + 1)) continue;
      const name = JSON.parse(text.slice(start, i + 1)) as string;
      const members = open.at(-1);
      if (members?.has(name)) return name;
      members?.add(name);
    } else if (code === 0x7b || code === 0x5b) open.push(code === 0x7b ? new Set() : undefined);
    else if (code === 0x7d || code === 0x5d) open.pop();
  }
  return undefined;
}

/** Returns true if a colon follows, with or without whitespace. */
function isName(text: string, at: number): boolean {
  let i = at;
  while (" \t\r\n".includes(text.charAt(i)) && i < text.length) i++;
  return text.charAt(i) === ":";
}

/** Returns the place of the closing quote, past escaped characters. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Returns true if an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw new JsonError(`the JSON nests deeper than ${maxDepth} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/**
 * Orders the members of translated JSON as the agent wrote them, so that a comparison shows only real differences. The
 * order of members has no meaning in JSON.
 */
export function inOrderOf(today: JsonValue | undefined, next: JsonValue): JsonValue {
  if (Array.isArray(next))
    return next.map((item, index) => inOrderOf(Array.isArray(today) ? today[index] : undefined, item));
  if (!isObject(next) || !isObject(today)) return next;
  const [before, after] = [today as JsonObject, next as JsonObject];
  const names = Object.keys(after);
  // A wrapper is new, and its content has the place of what it wraps.
  if (names.length === 1 && !(names[0]! in before) && isObject(after[names[0]!]))
    return { [names[0]!]: inOrderOf(before, after[names[0]!]!) };
  const places = new Map(Object.keys(before).map((name, index) => [name, index]));
  const place = (name: string): number => places.get(name) ?? places.get(formerNames[name] ?? "") ?? places.size;
  return Object.fromEntries(
    names.toSorted((a, b) => place(a) - place(b)).map((name) => [name, inOrderOf(before[name], after[name]!)]),
  );
}

/** Members with another name before 1.0. */
const formerNames: Readonly<Record<string, string>> = {
  contextId: "sessionId",
  artifactId: "index",
  parts: "content",
  mediaType: "mimeType",
  filename: "name",
  configs: "result",
};

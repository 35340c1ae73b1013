import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/**
 * What an agent of an older version wrote, by what it means in 1.0: checks read the latter, and reports quote the former. Kept
 * for as long as the value itself.
 */
const origins = new WeakMap<object, JsonValue>();

/** The value as the agent wrote it, where it was translated. */
export const asSaid = (value: unknown): unknown => (isReference(value) ? (origins.get(value) ?? value) : value);

const isReference = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Members under which 1.0 wraps what older versions write bare. */
const wrappers = ["task", "message", "statusUpdate", "artifactUpdate"];

/** Remembers for a value and all that it holds what was said for it, as far as the two have the same build. */
export function rememberSaid(meant: JsonValue, said: JsonValue): void {
  if (!isReference(meant) || !isReference(said)) return;
  origins.set(meant, said);
  if (Array.isArray(meant)) {
    // A list that lost an entry on the way would be told of in the wrong places.
    if (Array.isArray(said) && said.length === meant.length)
      for (const [index, entry] of meant.entries()) rememberSaid(entry, said[index]!);
    return;
  }
  if (!isObject(said)) return;
  for (const [name, value] of Object.entries(meant as JsonObject)) {
    const other = (said as JsonObject)[name] ?? (wrappers.includes(name) ? said : undefined);
    if (other !== undefined) rememberSaid(value, other as JsonValue);
  }
}

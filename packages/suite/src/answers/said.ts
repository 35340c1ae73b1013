import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/**
 * Maps translated values to the original of an older agent: checks read the translation, reports quote the original. An
 * entry lives as long as its value.
 */
const origins = new WeakMap<object, JsonValue>();

/** Returns the original of a translated value. */
export const asSaid = (value: unknown): unknown => (isReference(value) ? (origins.get(value) ?? value) : value);

const isReference = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Members in which 1.0 wraps values that older versions write bare. */
const wrappers = ["task", "message", "statusUpdate", "artifactUpdate"];

/** Remembers the original of a value and of everything in it, as far as both have the same structure. */
export function rememberSaid(meant: JsonValue, said: JsonValue): void {
  if (!isReference(meant) || !isReference(said)) return;
  origins.set(meant, said);
  if (Array.isArray(meant)) {
    // If translation dropped an entry, indexes no longer match.
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

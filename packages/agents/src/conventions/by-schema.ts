import { isObject, type JsonValue } from "@assay/protocol/core";

/** Limits the generated value, however large the schema and its numbers are. */
const most = { depth: 8, values: 500 };

/**
 * Generates a value that fits a JSON Schema, as far as its types, members, items and choices go. `words`
 * gives the texts of members by name; other texts are the member's name. Lists get one element for each entry
 * of `words`.
 */
export function bySchema(schema: unknown, words: readonly Readonly<Record<string, string>>[]): JsonValue {
  let left = most.values;
  const make = (shape: unknown, name: string, row: number, depth: number): JsonValue => {
    if (!isObject(shape) || depth > most.depth || left-- <= 0) return null;
    const choices = shape["enum"];
    if (Array.isArray(choices) && choices.length > 0) return choices[0];
    switch (typeOf(shape)) {
      case "array":
        return words.map((_, index) => make(shape["items"], name, index, depth + 1));
      case "object": {
        const members = isObject(shape["properties"]) ? Object.entries(shape["properties"]) : [];
        const made = members.slice(0, left).map(([key, member]) => [key, make(member, key, row, depth + 1)]);
        return Object.fromEntries(made);
      }
      case "string":
        return words[row]?.[name] ?? name;
      case "integer":
      case "number":
        return row + 1;
      case "boolean":
        return true;
      default:
        return null;
    }
  };
  return make(schema, "text", 0, 0);
}

function typeOf(shape: { readonly [name: string]: unknown }): unknown {
  const { type } = shape;
  if (Array.isArray(type)) return type[0];
  return type ?? (isObject(shape["properties"]) ? "object" : "items" in shape ? "array" : "string");
}

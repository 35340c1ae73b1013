import { messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Field } from "../schemas/field.ts";

/**
 * Restores required members that protobuf omitted because they hold their default. Protobuf sends the last page of a
 * list without `nextPageToken`, and an empty page without `tasks`. A required member without presence tracking
 * therefore counts as set.
 */
export function restoreDefaults(message: keyof Messages, json: JsonObject): void {
  for (const field of messages[message]) {
    const value = json[field.json];
    if (value !== undefined) restoreWithin(field, value);
    else if (field.required) {
      const initial = initialOf(field);
      if (initial !== undefined) json[field.json] = initial;
    }
  }
}

function restoreWithin({ kind, repeated, map }: Field, value: JsonValue): void {
  if (!(kind in messages)) return;
  const entries = repeated ? (value as JsonValue[]) : map ? Object.values(value as JsonObject) : [value];
  for (const entry of entries) if (isObject(entry)) restoreDefaults(kind as keyof Messages, entry as JsonObject);
}

/**
 * Message and timestamp fields track presence, and an enum's zero value means "unspecified", so none of them gets a
 * default.
 */
function initialOf({ kind, repeated, map, optional, oneof }: Field): JsonValue | undefined {
  if (repeated) return [];
  if (map) return {};
  return optional || oneof !== undefined ? undefined : initials[kind];
}

const initials: Readonly<Record<string, JsonValue>> = { string: "", bytes: "", bool: false, int32: 0 };

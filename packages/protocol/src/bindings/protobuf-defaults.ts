import { messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Field } from "../schemas/field.ts";

/**
 * Protobuf does not write what holds its default: the last page of a list arrives without `nextPageToken`, an
 * empty one without `tasks`. Required members that cannot say whether they were set were set, to their default.
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

/** Messages and timestamps are known to be absent, and an enum's zero says "unspecified". */
function initialOf({ kind, repeated, map, optional, oneof }: Field): JsonValue | undefined {
  if (repeated) return [];
  if (map) return {};
  return optional || oneof !== undefined ? undefined : initials[kind];
}

const initials: Readonly<Record<string, JsonValue>> = { string: "", bytes: "", bool: false, int32: 0 };

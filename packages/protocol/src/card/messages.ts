import { messages } from "../generated/fields.ts";
import { isObject } from "../json.ts";
import type { Field } from "../schemas/field.ts";
import type { MessageName } from "../schemas/tables.ts";

export const isMessage = (kind: string): kind is MessageName => Object.hasOwn(messages, kind);

/** Returns the field for a JSON member, by its camelCase name only, because peers must write that one. */
export const fieldOf = (message: MessageName, member: string): Field | undefined =>
  messages[message].find((field) => field.json === member);

/** Returns true for the name of a field in the .proto, as in `icon_url`. ProtoJSON readers accept it, too. */
export const isProtoName = (message: MessageName, member: string): boolean =>
  messages[message].some((field) => field.proto === member);

/** Yields every message inside a document with its path, outermost first. Struct content is data and is skipped. */
export function* walk(message: MessageName, json: unknown, path = "$"): Generator<Visited> {
  if (!isObject(json)) return;
  yield { message, json, path };
  for (const { json: name, kind, map, repeated } of messages[message]) {
    const value = json[name];
    if (!isMessage(kind) || value === undefined) continue;
    if (repeated && Array.isArray(value)) {
      for (const [index, element] of value.entries()) yield* walk(kind, element, `${path}.${name}[${index}]`);
    } else if (map && isObject(value)) {
      for (const [key, entry] of Object.entries(value)) yield* walk(kind, entry, `${path}.${name}.${key}`);
    } else yield* walk(kind, value, `${path}.${name}`);
  }
}

export interface Visited {
  readonly message: MessageName;
  readonly json: Record<string, unknown>;
  readonly path: string;
}

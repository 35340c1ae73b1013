import canonicalize from "canonicalize";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Field } from "../schemas/field.ts";
import type { MessageName } from "../schemas/tables.ts";
import { fieldOf, isMessage } from "./messages.ts";

/** RFC 8785: one text for one JSON value. Throws on a lone surrogate, for which the RFC has no form. */
export function canonicalJson(value: JsonValue): string {
  // `canonicalize` answers undefined only for undefined, which is no JsonValue.
  return canonicalize(value) as string;
}

export interface PresenceOptions {
  /** members the .proto does not know: part of the JSON, lost to whoever parses into generated types */
  readonly unknown: "keep" | "drop";
}

/** The members that §8.4.1 signs: everything but `signatures` and defaults that need not be written. */
export function signedMembers(card: JsonObject, options: PresenceOptions): JsonObject {
  return presentMembers("AgentCard", withoutSignatures(card), options);
}

/** The card a signature speaks about: the one without any signature. */
export function withoutSignatures({ signatures: _, ...card }: JsonObject): JsonObject {
  return card;
}

function presentMembers(message: MessageName, json: JsonObject, options: PresenceOptions): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(json)) {
    const field = fieldOf(message, name);
    if (field) {
      if (isPresent(field, value)) members.push([name, presentValue(field, value, options)]);
    } else if (options.unknown === "keep") members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** Elements and map entries always stay: dropping one would change what the list or the map says. */
function presentValue(field: Field, value: JsonValue, options: PresenceOptions): JsonValue {
  const { kind } = field;
  if (!isMessage(kind)) return value;
  const inner = (entry: JsonValue) => (isObject(entry) ? presentMembers(kind, entry as JsonObject, options) : entry);
  if (field.repeated) return Array.isArray(value) ? value.map(inner) : value;
  if (!field.map) return inner(value);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value as JsonObject).map(([key, entry]) => [key, inner(entry)]))
    : value;
}

/** §8.4.1: a default counts as set only where the .proto can tell "set" from "not set", or demands the member. */
export function isPresent(field: Field, value: unknown): boolean {
  // ProtoJSON reads null as "not set", whatever the field.
  if (value === null) return false;
  const tracksPresence = field.optional || field.oneof || field.required;
  return Boolean(tracksPresence) || !isDefault(field, value);
}

/** A field that holds a single message (or Struct) has presence by nature: `{}` is a value, not a default. */
function isDefault(field: Field, value: unknown): boolean {
  if (field.repeated) return Array.isArray(value) && value.length === 0;
  if (field.map) return isObject(value) && Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}

import canonicalize from "canonicalize";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Field } from "../schemas/field.ts";
import type { MessageName } from "../schemas/tables.ts";
import { fieldOf, isMessage, isProtoName, walk } from "./messages.ts";

/**
 * Returns the canonical JSON text of a value (RFC 8785). Throws on a lone surrogate, which the RFC cannot represent.
 */
export function canonicalJson(value: JsonValue): string {
  // `canonicalize` returns undefined only for undefined, which is not a JsonValue.
  return canonicalize(value) as string;
}

export interface PresenceOptions {
  /** members that the .proto does not define: part of the JSON, but lost when parsed into generated types */
  readonly unknown: "keep" | "drop";
}

/** Returns the members that §8.4.1 signs: all except `signatures` and omissible default values. */
export function signedMembers(card: JsonObject, options: PresenceOptions): JsonObject {
  return presentMembers("AgentCard", withoutSignatures(card), options);
}

/** Returns the card that a signature covers: the card without its signatures. */
export function withoutSignatures({ signatures: _, ...card }: JsonObject): JsonObject {
  return card;
}

/** Returns the places of members that the .proto does not define, which a signer may have left out. */
export const unknownMembers = (card: JsonObject): string[] =>
  [...walk("AgentCard", withoutSignatures(card))].flatMap(({ message, json, path }) =>
    Object.keys(json)
      .filter((name) => !fieldOf(message, name))
      .map((name) => `${path}.${name}`),
  );

function presentMembers(message: MessageName, json: JsonObject, options: PresenceOptions): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(json)) {
    const field = fieldOf(message, name);
    if (field) {
      if (isPresent(field, value)) members.push([name, presentValue(field, value, options)]);
    } else if (options.unknown === "keep" || isProtoName(message, name)) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** Keeps all elements and map entries: dropping one would change the meaning of the list or map. */
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

/** Applies §8.4.1: a default value counts as set only if the .proto tracks presence or requires the member. */
export function isPresent(field: Field, value: unknown): boolean {
  // ProtoJSON reads null as "not set", whatever the field.
  if (value === null) return false;
  const tracksPresence = field.optional || field.oneof || field.required;
  return Boolean(tracksPresence) || !isDefault(field, value);
}

/** A field that holds a single message (or Struct) always tracks presence: `{}` is a value, not a default. */
function isDefault(field: Field, value: unknown): boolean {
  if (field.repeated) return Array.isArray(value) && value.length === 0;
  if (field.map) return isObject(value) && Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}

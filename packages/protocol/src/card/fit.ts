import { messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { isObject } from "../json.ts";
import type { Field } from "../schemas/field.ts";
import type { MessageName } from "../schemas/tables.ts";
import { isMessage } from "./messages.ts";

/** Called for each place where the document had to be adapted. */
export type Bent = (code: "missing" | "wrong-type", path: string, message: string) => void;

/**
 * Returns a value of the message's type, whatever the input. Members of the wrong type are dropped, and missing
 * REQUIRED members get an empty value. Callers can trust the type, even on a hostile card.
 */
export function fit<M extends MessageName>(message: M, json: unknown, path: string, bent: Bent): Messages[M] {
  const source = isObject(json) ? json : {};
  const result: Record<string, unknown> = {};
  for (const field of messages[message]) {
    const place = `${path}.${field.json}`;
    const value = source[field.json];
    const fitted = value === undefined ? undefined : fitField(field, value, place, bent);
    if (fitted !== undefined) result[field.json] = fitted;
    else if (field.required) {
      if (value === undefined) bent("missing", place, "is required and missing; read as empty");
      result[field.json] = emptyValue(field);
    }
  }
  // Built member by member from the table that the type was generated from.
  return result as unknown as Messages[M];
}

function fitField(field: Field, value: unknown, path: string, bent: Bent): unknown {
  if (field.repeated) {
    if (!Array.isArray(value)) return refuse("an array", path, bent);
    return value
      .map((entry, index) => fitValue(field.kind, entry, `${path}[${index}]`, bent))
      .filter((entry) => entry !== undefined);
  }
  if (field.map) {
    if (!isObject(value)) return refuse("an object", path, bent);
    const entries = Object.entries(value).map(([key, entry]) => [
      key,
      fitValue(field.kind, entry, `${path}.${key}`, bent),
    ]);
    return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
  }
  return fitValue(field.kind, value, path, bent);
}

function fitValue(kind: string, value: unknown, path: string, bent: Bent): unknown {
  if (isMessage(kind)) return isObject(value) ? fit(kind, value, path, bent) : refuse("an object", path, bent);
  if (kind === "struct") return isObject(value) ? value : refuse("an object", path, bent);
  // Cards contain no other kinds.
  const type = kind === "bool" ? "boolean" : "string";
  return typeof value === type ? value : refuse(`a ${type}`, path, bent);
}

function refuse(expected: string, path: string, bent: Bent): undefined {
  bent("wrong-type", path, `is not ${expected}; ignored`);
  return undefined;
}

function emptyValue({ kind, repeated, map }: Field): unknown {
  if (repeated) return [];
  if (map) return {};
  // The missing REQUIRED message is already reported, so its members are not reported one by one.
  return isMessage(kind) ? fit(kind, {}, "", () => {}) : "";
}

import { enums, messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { isObject } from "../json.ts";
import type { Field } from "./field.ts";
import { isUtcTimestamp } from "./formats.ts";

/**
 * Reads what ProtoJSON lets a sender write, and gives back the one spelling we work with:
 * snake_case becomes camelCase, enum numbers become names, numeric strings become numbers,
 * URL-safe or unpadded base64 becomes the standard form, offsets become `Z`, `null` means unset,
 * and unknown members are left behind. What is plainly wrong stays as it is for the schema to name.
 */
export function normalise(message: keyof Messages, json: unknown): unknown {
  if (!isObject(json)) return json;
  const result: Record<string, unknown> = {};
  for (const field of messages[message]) {
    const value = json[field.json] === undefined ? json[field.proto] : json[field.json];
    if (value === undefined || (value === null && field.kind !== "value")) continue;
    const read = readField(field, value);
    // An enum's zero value says "unspecified", which is the same as leaving the member out.
    if (!field.repeated && !field.map && typeof read === "string" && enums[field.kind]?.[read] === 0) continue;
    result[field.json] = read;
  }
  return result;
}

function readField(field: Field, value: unknown): unknown {
  if (field.map && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, readValue(field.kind, entry)]));
  }
  if (field.repeated && Array.isArray(value)) return value.map((entry) => readValue(field.kind, entry));
  return readValue(field.kind, value);
}

function readValue(kind: string, value: unknown): unknown {
  if (kind in messages) return normalise(kind as keyof Messages, value);
  const read = readers[kind];
  if (read) return read(value);
  const names = enums[kind];
  if (names && typeof value === "number") {
    return Object.keys(names).find((name) => names[name] === value) ?? value;
  }
  return value;
}

const readers: Record<string, (value: unknown) => unknown> = {
  int32: (value) => (typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value),
  bytes: (value) => (typeof value === "string" ? padded(value) : value),
  timestamp: (value) => (typeof value === "string" ? inUtc(value) : value),
};

function padded(text: string): string {
  const standard = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  return standard.length % 4 === 0 ? standard : standard.padEnd(standard.length + (4 - (standard.length % 4)), "=");
}

/** Offsets are whole minutes, so the fraction stays as it was written, all nine digits of it. */
function inUtc(text: string): string {
  const [, local, fraction = "", offset] = /^(.{19})(\.\d{1,9})?([+-]\d\d:\d\d)$/.exec(text) ?? [];
  // Date.parse would roll February 30 over with its offset, so the local date has to exist first.
  if (local === undefined || !isUtcTimestamp(`${local}Z`)) return text;
  const time = Date.parse(local + offset);
  return Number.isNaN(time) ? text : new Date(time).toISOString().replace(".000Z", `${fraction}Z`);
}

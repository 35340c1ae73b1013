import {
  type Field,
  fieldsOf,
  inUtc,
  isObject,
  type JsonObject,
  type JsonValue,
  type MessageName,
  messageOfKind,
  standardBase64,
} from "@assay/protocol";
import { entriesOf, stepOf } from "./walk.ts";

/**
 * Returns the path of the first difference in meaning between two objects; undefined if there is none. Bindings write
 * the same data differently, so some things do not count: the order of members, empty members, the precision of times,
 * and unknown members.
 */
export function difference(message: MessageName, one: JsonValue, other: JsonValue, path = "$"): string | undefined {
  if (!isObject(one) || !isObject(other)) return isSame(one, other) ? undefined : path;
  for (const field of fieldsOf(message)) {
    const here = path + stepOf(field.json);
    const [a, b] = [contentOf(one as JsonObject, field), contentOf(other as JsonObject, field)];
    if (a === undefined && b === undefined) continue;
    if (a === undefined || b === undefined) return here;
    const found = differenceIn(field, a, b, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceIn(field: Field, a: JsonValue, b: JsonValue, path: string): string | undefined {
  const [ours, theirs] = [new Map(entriesOf(a, field)), new Map(entriesOf(b, field))];
  if (ours.size !== theirs.size) return path;
  for (const [step, entry] of ours) {
    const counterpart = theirs.get(step);
    if (counterpart === undefined) return path + step;
    const inner = messageOfKind(field.kind);
    const found = inner
      ? difference(inner, entry, counterpart, path + step)
      : isSameOf(field.kind, entry, counterpart)
        ? undefined
        : path + step;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the content of a field. Empty equals absent, except for free JSON and fields with explicit presence. */
function contentOf(holder: JsonObject, { json, proto, kind, optional, oneof }: Field): JsonValue | undefined {
  const value = holder[json] ?? holder[proto];
  if (value === undefined || (value === null && kind !== "value")) return undefined;
  if (optional || oneof !== undefined) return value;
  const isEmpty =
    value === "" ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : value;
}

function isSameOf(kind: string, a: JsonValue, b: JsonValue): boolean {
  if (kind === "timestamp" && typeof a === "string" && typeof b === "string") return isSameTime(a, b);
  if (kind === "bytes" && typeof a === "string" && typeof b === "string")
    return standardBase64(a) === standardBase64(b);
  return isSame(a, b);
}

/** Compares at the coarser precision of the two, because a binding may store times less precisely. */
function isSameTime(a: string, b: string): boolean {
  const [first, second] = [inUtc(a)?.utc, inUtc(b)?.utc];
  if (first === undefined || second === undefined) return a === b;
  const [ours, theirs] = [first.slice(0, -1), second.slice(0, -1)];
  const length = Math.min(ours.length, theirs.length);
  // Compares "…:00" with "…:00.12": the point belongs to the fraction.
  return ours.slice(0, length) === theirs.slice(0, length);
}

/** Compares free JSON; the order of members does not matter. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((entry, index) => isSame(entry, b[index]!));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name] as JsonValue, b[name] as JsonValue))
  );
}

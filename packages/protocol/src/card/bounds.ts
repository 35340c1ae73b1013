import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { type CardFinding, finding } from "./finding.ts";

/** ProtoJSON readers stop at 100 levels. A card that exceeds one of the other limits is an attack or a bug. */
export const limits = { depth: 100, values: 200_000, interfaces: 100, signatures: 50 } as const;

/**
 * Copies a card so that it is safe to walk: plain JSON, within our limits of depth and size. Reports whatever was cut,
 * because a verdict on an incomplete card must mention it.
 */
export function bounded(json: unknown): { json: JsonValue; findings: CardFinding[] } {
  const findings: CardFinding[] = [];
  let left: number = limits.values;
  let tooDeep = false;
  let tooLarge = false;

  const copy = (value: unknown, depth: number): JsonValue | undefined => {
    if (left === 0) {
      tooLarge = true;
      return undefined;
    }
    left--;
    if (Array.isArray(value) || isObject(value)) {
      if (depth >= limits.depth) {
        tooDeep = true;
        return undefined;
      }
      return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth);
    }
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
      ? value
      : undefined;
  };

  const copyArray = (array: unknown[], depth: number): JsonValue[] => {
    const result: JsonValue[] = [];
    for (const element of array) {
      const kept = copy(element, depth + 1);
      if (kept !== undefined) result.push(kept);
    }
    return result;
  };

  const copyObject = (object: Record<string, unknown>, depth: number): JsonObject => {
    const members: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(object)) {
      const kept = copy(member, depth + 1);
      if (kept !== undefined) members.push([name, kept]);
    }
    // fromEntries defines members, so one named `__proto__` stays a member.
    return Object.fromEntries(members);
  };

  const result = copy(json, 0) ?? null;
  if (tooDeep) {
    findings.push(
      finding("error", "too-deep", "$", {
        message: `the card nests deeper than ${limits.depth} levels; deeper levels were not read`,
        fix: "Flatten the card: ProtoJSON readers reject such a document.",
      }),
    );
  }
  if (tooLarge) {
    findings.push(
      finding("error", "too-large", "$", {
        message: `the card is too large to read: it has more than ${limits.values} values`,
        fix: "Publish a smaller card.",
      }),
    );
  }
  return { json: result, findings };
}

/** Returns true if a document has more values than we read of a card. */
export function isTooLarge(json: unknown): boolean {
  let left: number = limits.values;
  const waiting: unknown[] = [json];
  for (let value = waiting.pop(); left >= 0; value = waiting.pop()) {
    left--;
    const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (inside.length > left) return true;
    // Pushed one by one, because a list can be longer than the maximum number of call arguments.
    for (const each of inside) waiting.push(each);
    if (waiting.length === 0) return false;
  }
  return true;
}

/** Keeps the first interfaces of an over-long list. Clients try them in order and would never reach the rest. */
export function trimInterfaces(card: JsonObject): { card: JsonObject; findings: CardFinding[] } {
  const findings: CardFinding[] = [];
  let trimmed = card;
  for (const member of ["supportedInterfaces", "supported_interfaces", "additionalInterfaces"]) {
    const list = card[member];
    if (!Array.isArray(list) || list.length <= limits.interfaces) continue;
    trimmed = { ...trimmed, [member]: list.slice(0, limits.interfaces) };
    findings.push(
      finding("warning", "too-many-interfaces", `$.${member}`, {
        message: `lists ${list.length} interfaces; only the first ${limits.interfaces} were read`,
        fix: "List each combination of URL, binding and version once, best first.",
      }),
    );
  }
  return { card: trimmed, findings };
}

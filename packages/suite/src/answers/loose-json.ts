import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Spot } from "../define/finding.ts";
import { asSaid } from "./said.ts";

/** Reads values from agents loosely and shows them on one line. A value of the wrong type counts as absent. */

export const asObject = (value: unknown): JsonObject | undefined =>
  // Parsed JSON contains only JSON.
  isObject(value) ? (value as JsonObject) : undefined;

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns the first text that is in the list a second time. */
export function repeatedIn(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
}

export const asList = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/** Returns the objects in a list, without its other entries. A list of objects is not copied: it may be very long. */
export function asObjects(value: unknown): readonly JsonObject[] {
  const list = asList(value);
  return list.every(isJsonObject) ? list : list.filter(isJsonObject);
}

const isJsonObject = (value: JsonValue): value is JsonObject => isObject(value);

/** Shortens JSON to one line of a report, as the agent wrote it. */
export function brief(value: unknown, limit = 160): string {
  const text = (typeof value === "string" ? value : JSON.stringify(shortened(asSaid(value), limit))) ?? "nothing";
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Cuts long lists before printing: each value takes at least one character. */
function shortened(value: unknown, limit: number): unknown {
  const short = (each: unknown): unknown => (Array.isArray(each) && each.length > limit ? each.slice(0, limit) : each);
  const json = asObject(value);
  if (!json || !Object.values(json).some((each) => Array.isArray(each) && each.length > limit)) return short(value);
  return Object.fromEntries(Object.entries(json).map(([name, each]) => [name, short(each)]));
}

/** Returns `saw` and `spot` for a piece of the response. */
export const shown = (value: unknown, limit?: number): { readonly saw: string; readonly spot?: Spot } => ({
  saw: brief(value, limit),
  ...(typeof value === "object" && value !== null && { spot: { within: value } }),
});

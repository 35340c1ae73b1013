import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Spot } from "../define/finding.ts";
import { asSaid } from "./said.ts";

/** Values that agents sent, read loosely and shown in a line: what has the wrong type counts as absent. */

export const asObject = (value: unknown): JsonObject | undefined =>
  // What was parsed from JSON holds JSON.
  isObject(value) ? (value as JsonObject) : undefined;

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const asList = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/** The objects of a list; whatever else stands in it is left out. */
export const asObjects = (value: unknown): readonly JsonObject[] => asList(value).filter(isJsonObject);

const isJsonObject = (value: JsonValue): value is JsonObject => isObject(value);

/** JSON as it fits on a line of a report, in the words of the agent. */
export function brief(value: unknown, limit = 160): string {
  const text = (typeof value === "string" ? value : JSON.stringify(shortened(asSaid(value), limit))) ?? "nothing";
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Of long lists only what can be shown: each of its values takes a letter at least. */
function shortened(value: unknown, limit: number): unknown {
  const short = (each: unknown): unknown => (Array.isArray(each) && each.length > limit ? each.slice(0, limit) : each);
  const json = asObject(value);
  if (!json || !Object.values(json).some((each) => Array.isArray(each) && each.length > limit)) return short(value);
  return Object.fromEntries(Object.entries(json).map(([name, each]) => [name, short(each)]));
}

/** JSON of an answer as what was seen: on a line, and where it stands. */
export const shown = (value: unknown, limit?: number): { readonly saw: string; readonly spot?: Spot } => ({
  saw: brief(value, limit),
  ...(typeof value === "object" && value !== null && { spot: { within: value } }),
});

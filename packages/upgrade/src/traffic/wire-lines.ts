import { isObject, type JsonValue } from "@assay/protocol";
import type { WireMessage } from "./translate.ts";

/** Longer texts are cut: the plan is about members, not about content. */
const longestText = 100;
/** Longer lists are cut, after translation. */
const mostItems = 3;
/** Events of one stream that the plan shows. */
const mostEvents = 5;

/** Returns a message as lines: the first line, headers, and indented JSON. */
export function wireLines({ line, headers, body, events }: WireMessage): string[] {
  return [
    line,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : jsonLines(body)),
    ...eventLines(events),
  ];
}

/** Returns the first events and the last one, with a line for those between them. */
function eventLines(events: readonly JsonValue[] = []): string[] {
  if (events.length <= mostEvents) return events.flatMap(jsonLines);
  const first = events.slice(0, mostEvents - 1);
  return [...first.flatMap(jsonLines), `(${events.length - mostEvents} more events)`, ...jsonLines(events.at(-1)!)];
}

const jsonLines = (json: JsonValue): string[] => JSON.stringify(shortened(json), null, 2).split("\n");

function shortened(json: JsonValue): JsonValue {
  if (typeof json === "string") return json.length <= longestText ? json : `${json.slice(0, longestText)}…`;
  if (Array.isArray(json)) {
    const items = json.slice(0, mostItems).map(shortened);
    return json.length > mostItems ? [...items, `(${json.length - mostItems} more)`] : items;
  }
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shortened(value as JsonValue)]));
}

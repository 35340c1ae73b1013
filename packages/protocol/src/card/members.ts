import { isObject } from "../json.ts";

/** An object inside a list or a map, and its place. */
export type PlacedObject = [object: Record<string, unknown>, path: string];

/** The objects of a list with their places. What is no list, or no object, is the schema's business. */
export function objectsIn(list: unknown, path: string): PlacedObject[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index): PlacedObject[] => (isObject(entry) ? [[entry, `${path}[${index}]`]] : []));
}

/** The objects of a map with their places. */
export function entriesIn(map: unknown, path: string): PlacedObject[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([key, entry]): PlacedObject[] =>
    isObject(entry) ? [[entry, `${path}.${key}`]] : [],
  );
}

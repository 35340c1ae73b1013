import { isObject } from "../json.ts";

/** An object inside a list or a map, with its path. */
export type PlacedObject = [object: Record<string, unknown>, path: string];

/**
 * Returns the objects of a list with their paths. The schema check reports anything that is not a list or an object.
 */
export function objectsIn(list: unknown, path: string): PlacedObject[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index): PlacedObject[] => (isObject(entry) ? [[entry, `${path}[${index}]`]] : []));
}

/** Returns the objects of a map with their paths. */
export function entriesIn(map: unknown, path: string): PlacedObject[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([key, entry]): PlacedObject[] =>
    isObject(entry) ? [[entry, `${path}.${key}`]] : [],
  );
}

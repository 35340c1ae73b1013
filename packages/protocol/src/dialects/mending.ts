import { isObject } from "../json.ts";
import type { ReadingPlace } from "./place.ts";

/**
 * Turns known deviations of peers into what the schema requires, and notes each change. Runs only on documents that
 * break the schema. It keeps unknown deviations for the schema to report.
 */
export type Mend = (json: unknown, place: ReadingPlace) => unknown;

type Members = Record<string, unknown>;

/**
 * Creates a mend for objects, which changes a copy. `null` means "not set" in every dialect, though only the first 0.1
 * says so.
 */
export const mending =
  (change: (members: Members, place: ReadingPlace) => void): Mend =>
  (json, place) => {
    if (!isObject(json)) return json;
    // Object.fromEntries, unlike assignment, keeps a member named `__proto__`.
    const members: Members = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
    for (const name of Object.keys(json)) if (json[name] === null) place.at(name).note("is null; read as not set");
    change(members, place);
    return members;
  };

export const asIs: Mend = (json) => json;

export function mendMember(members: Members, name: string, place: ReadingPlace, mend: Mend): void {
  if (members[name] !== undefined) members[name] = mend(members[name], place.at(name));
}

export function mendItems(members: Members, name: string, place: ReadingPlace, mend: Mend): void {
  mendMember(members, name, place, (json, list) =>
    Array.isArray(json) ? json.map((item, index) => mend(item, list.at(index))) : json,
  );
}

/** Adds a member that the schema requires and peers omit. */
export function assume(members: Members, name: string, value: string | boolean, place: ReadingPlace): void {
  if (members[name] !== undefined) return;
  members[name] = value;
  place.at(name).note(`is missing; assumed to be ${JSON.stringify(value)}`);
}

/** Converts a numeric id. Some servers answer with the JSON-RPC id, so the id of our request is better. */
export function mendId(members: Members, place: ReadingPlace, known?: string): void {
  const { id } = members;
  if (typeof id !== "number") return;
  members["id"] = known ?? String(id);
  place.at("id").note(`is the number ${id}; read as ${JSON.stringify(members["id"])}`);
}

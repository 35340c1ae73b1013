import { isObject } from "../json.ts";
import type { ReadingPlace } from "./place.ts";

/**
 * Turns what peers are known to write into what the schema asks for, and notes each change. It runs only on
 * documents that break the schema; what it does not know it leaves as it is, for the schema to name.
 */
export type Mend = (json: unknown, place: ReadingPlace) => unknown;

type Members = Record<string, unknown>;

/** A mend for objects: changes a copy. `null` means "not given" in every dialect, though only the first 0.1 said so. */
export const mending =
  (change: (members: Members, place: ReadingPlace) => void): Mend =>
  (json, place) => {
    if (!isObject(json)) return json;
    // Object.fromEntries, unlike assignment, keeps a key called `__proto__` a key.
    const members: Members = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
    for (const name of Object.keys(json)) if (json[name] === null) place.at(name).note("is null; read as not given");
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

/** A member the schema requires and peers leave out. */
export function assume(members: Members, name: string, value: string | boolean, place: ReadingPlace): void {
  if (members[name] !== undefined) return;
  members[name] = value;
  place.at(name).note(`is missing; taken for ${JSON.stringify(value)}`);
}

/** An id written as a number: some servers answer with the JSON-RPC id, so the id we asked with is the better one. */
export function mendId(members: Members, place: ReadingPlace, known?: string): void {
  const { id } = members;
  if (typeof id !== "number") return;
  members["id"] = known ?? String(id);
  place.at("id").note(`is the number ${id}; read as ${JSON.stringify(members["id"])}`);
}

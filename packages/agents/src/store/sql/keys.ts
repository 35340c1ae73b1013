import { createHash } from "node:crypto";
import type { DatabaseKind } from "@assay/storage";
import { taskKey } from "../store.ts";

/** Returns the key of a name in the tables: 128 bits of its digest. */
export const digestOf = (name: string): string =>
  createHash("sha256").update(name).digest().toString("base64url").slice(0, 22);

export const keyOf = (scope: string, id: string): string => digestOf(taskKey(scope, id));

/** Combines scope and id in one column; JSON can hold characters that a text column cannot. */
export const nameOf = (scope: string, id: string): string => JSON.stringify([scope, id]);

export const readName = (name: string): { readonly scope: string; readonly id: string } => {
  const [scope, id] = JSON.parse(name) as [string, string];
  return { scope, id };
};

/**
 * Returns the slot of a task in counts: writers of different slots do not wait for each other. A transaction
 * changes the same slot everywhere. SQLite has one writer.
 */
export const slotOf = (kind: DatabaseKind, key: string): number => (kind === "sqlite" ? 0 : key.charCodeAt(0) % 16);

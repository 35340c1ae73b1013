import { joined, type Query, raw, sql } from "@assay/storage";
import type { TaskFilter } from "../store.ts";
import { digestOf } from "./keys.ts";

/** The conditions of a filter on a table. */
export interface Conditions {
  on(table: "t" | "l"): Query;
}

export function conditionsOf(scope: string, { contextId, state, since }: TaskFilter): Conditions {
  return {
    on(table) {
      const column = (name: string): Query => raw(`${table}.${name}`);
      return joined(
        [
          sql`${column("scope_key")} = ${digestOf(scope)}`,
          ...(contextId === undefined ? [] : [sql`${column("context_key")} = ${digestOf(contextId)}`]),
          ...(state === undefined ? [] : [sql`${column("state")} = ${state}`]),
          ...(since === undefined ? [] : [sql`${column("time")} >= ${since}`]),
        ],
        " and ",
      );
    },
  };
}

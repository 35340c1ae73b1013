import type { TaskStore } from "../store/store.ts";

/** What asks the database. To follow a log is to wait, so it is not timed. */
const timed = [
  "create",
  "replace",
  "append",
  "snapshot",
  "list",
  "claim",
  "renew",
  "release",
  "remove",
  "isElsewhere",
] as const;

/** Carries out one operation on a store, with what is to be done around it. */
export type AroundStore = <T>(operation: (typeof timed)[number], work: () => Promise<T>) => Promise<T>;

/** The same store; each operation that asks its database passes through `around`. */
export function aroundStore(store: TaskStore, around: AroundStore): TaskStore {
  const operations = timed.map((name) => {
    const operation = store[name].bind(store) as (...given: unknown[]) => Promise<unknown>;
    return [name, (...given: unknown[]) => around(name, () => operation(...given))];
  });
  // Every operation but `follow` is among them.
  return { ...Object.fromEntries(operations), follow: (...given) => store.follow(...given) } as TaskStore;
}

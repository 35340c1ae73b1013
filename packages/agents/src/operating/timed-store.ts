import type { TaskStore } from "../store/store.ts";

/** Operations that query the database. Following a log means waiting, so it is not timed. */
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

/** Wraps one operation on a store. */
export type AroundStore = <T>(operation: (typeof timed)[number], work: () => Promise<T>) => Promise<T>;

/** Returns the store with every database operation wrapped by `around`. */
export function aroundStore(store: TaskStore, around: AroundStore): TaskStore {
  const operations = timed.map((name) => {
    const operation = store[name].bind(store) as (...given: unknown[]) => Promise<unknown>;
    return [name, (...given: unknown[]) => around(name, () => operation(...given))];
  });
  // Contains every operation except `follow`.
  return { ...Object.fromEntries(operations), follow: (...given) => store.follow(...given) } as TaskStore;
}

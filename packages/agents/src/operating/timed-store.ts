import type { TaskStore } from "../store/store.ts";

type Timed =
  | "create"
  | "replace"
  | "append"
  | "snapshot"
  | "list"
  | "claim"
  | "renew"
  | "release"
  | "remove"
  | "isElsewhere";

/** Carries out one operation on a store, with what is to be done around it. */
export type AroundStore = <T>(operation: Timed, work: () => Promise<T>) => Promise<T>;

/** The same store; each operation that asks its database passes through `around`. To follow a log is to wait, so it is not timed. */
export const aroundStore = (store: TaskStore, around: AroundStore): TaskStore => ({
  create: (...given) => around("create", () => store.create(...given)),
  replace: (...given) => around("replace", () => store.replace(...given)),
  append: (...given) => around("append", () => store.append(...given)),
  snapshot: (...given) => around("snapshot", () => store.snapshot(...given)),
  follow: (...given) => store.follow(...given),
  list: (...given) => around("list", () => store.list(...given)),
  claim: (...given) => around("claim", () => store.claim(...given)),
  renew: (...given) => around("renew", () => store.renew(...given)),
  release: (...given) => around("release", () => store.release(...given)),
  remove: (...given) => around("remove", () => store.remove(...given)),
  isElsewhere: (...given) => around("isElsewhere", () => store.isElsewhere(...given)),
});

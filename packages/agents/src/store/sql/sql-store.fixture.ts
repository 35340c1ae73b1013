import type { Database } from "@assay/storage";
import type { MakeStore } from "../cases/store-case.fixture.ts";
import type { TaskStore } from "../store.ts";
import { SqlStore } from "./sql-store.ts";

let made = 0;

/** Creates empty stores in one database, each with its own scopes. */
export function freshStores(database: () => Database): MakeStore {
  const make = (now: () => number): TaskStore => {
    const store = new SqlStore(database(), now);
    const prefix = ++made;
    const inside = (scope: string): string => `${prefix} ${scope}`;
    return {
      create: (scope, task, account) => store.create(inside(scope), task, account),
      replace: (scope, task, account) => store.replace(inside(scope), task, account),
      append: (scope, id, seq, events) => store.append(inside(scope), id, seq, events),
      snapshot: (scope, id) => store.snapshot(inside(scope), id),
      follow: (scope, ...rest) => store.follow(inside(scope), ...rest),
      list: (scope, ...rest) => store.list(inside(scope), ...rest),
      claim: (scope, ...rest) => store.claim(inside(scope), ...rest),
      renew: (scope, ...rest) => store.renew(inside(scope), ...rest),
      release: (scope, ...rest) => store.release(inside(scope), ...rest),
      remove: (scope, id) => store.remove(inside(scope), id),
      isElsewhere: (scope, id) => store.isElsewhere(inside(scope), id),
    };
  };
  return Object.assign(make, { mostRuns: 50 });
}

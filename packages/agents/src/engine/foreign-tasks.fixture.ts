import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Database, Query, Sql } from "@assay/storage";
import { Ledger } from "@assay/wire/server";
import { expect } from "vitest";
import { inputModes, outputModes } from "../definition/agent.ts";
import type { TaskCall } from "../definition/call.ts";
import { FakeClock } from "../definition/fake-clock.fixture.ts";
import { chargedRelay } from "../outbound/relay-budget.ts";
import { noPush } from "../push/service.ts";
import { coreSkills } from "../skills/index.ts";
import { SqlStore } from "../store/sql/sql-store.ts";
import type { TaskStore } from "../store/store.ts";
import { forever, refusal, user } from "./engine.fixture.ts";
import { Engine } from "./engine.ts";
import { byKeyword } from "./routing.ts";

/** Records the store operations of one call, apart from concurrent calls. */
const steps = new AsyncLocalStorage<string[]>();

/** Records the operations of a store, by name. */
export const notingOperations = (store: TaskStore): TaskStore =>
  new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        steps.getStore()?.push(String(name));
        return member.apply(target, given) as unknown;
      };
    },
  });

/** Records the statements that a store sends to its database, and their row counts. */
export function notingStatements(database: Database): TaskStore {
  const text = (query: Query) => query.text((index) => `$${index}`);
  const noted = async <Row>(query: Query, sent: Promise<Row[]>): Promise<Row[]> => {
    const rows = await sent;
    steps.getStore()?.push(`${rows.length} of ${text(query)}`);
    return rows;
  };
  const noting = (sql: Sql): Sql => ({
    all: <Row>(query: Query) => noted(query, sql.all<Row>(query)),
    run(...queries) {
      steps.getStore()?.push(...queries.map(text));
      return sql.run(...queries);
    },
  });
  const whole: Database = {
    ...noting(database),
    kind: database.kind,
    write: <Row>(query: Query) => noted(query, database.write<Row>(query)),
    transaction: (work) => database.transaction((sql) => work(noting(sql))),
    listen: (...given) => database.listen(...given),
    tell: (...given) => database.tell(...given),
    close: () => database.close(),
  };
  return new SqlStore(whole, Date.now);
}

const callOf = (caller: string): TaskCall => ({
  scope: `secure\n${randomUUID()}\n${caller}`,
  account: caller,
  extensions: [],
});

/** Checks that a request for another caller's task takes the same steps as one for a missing task. */
export async function tryForeignTasks(store: TaskStore): Promise<void> {
  const engine = new Engine({
    store,
    clock: new FakeClock(),
    push: noPush,
    relay: chargedRelay(async () => "", new Ledger()),
    route: byKeyword(coreSkills),
    inputModes,
    outputModes,
  });
  const [alice, bob] = [callOf("alice"), callOf("bob")];
  const begin = async (text: string) => {
    const configuration = { returnImmediately: true };
    return (await engine.send({ message: user(text), configuration }, alice)).task!.id;
  };
  const theirs = [await begin("multi-turn x"), await begin("task-lifecycle x"), await begin("long-running x")];
  const operations: Record<string, (id: string) => Promise<unknown>> = {
    get: (id) => engine.get({ id }, bob),
    cancel: (id) => engine.cancel({ id }, bob),
    subscribe: (id) => engine.subscribe({ id }, bob, forever),
    send: (taskId) => engine.send({ message: user("x", { taskId }) }, bob),
    stream: (taskId) => engine.stream({ message: user("x", { taskId }) }, bob, forever),
    "push configurations": (id) => engine.require(id, bob),
  };
  for (const [name, operation] of Object.entries(operations)) {
    const tried = async (id: string) => {
      const taken: string[] = [];
      const refused = await steps.run(taken, () => refusal(operation(id)));
      return { ...refused, message: refused.message.replaceAll(id, "<id>"), steps: taken };
    };
    const control = await tried(randomUUID());
    expect([name, control.kind, control.steps.length > 0]).toEqual([name, "TaskNotFound", true]);
    for (const id of theirs) expect([name, await tried(id)]).toEqual([name, control]);
  }
  await engine.close();
}

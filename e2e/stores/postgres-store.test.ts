import { openLedger } from "@assay/fleet";
import { openHistory } from "@assay/history";
import type { TaskState } from "@assay/protocol";
import { type Database, migrate, openDatabase, sql } from "@assay/storage";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notingStatements, tryForeignTasks } from "../../packages/agents/src/engine/foreign-tasks.fixture.ts";
import { loginCases } from "../../packages/agents/src/identity/oidc/logins.fixture.ts";
import { callerCases } from "../../packages/agents/src/store/callers.fixture.ts";
import { deadLetterCases } from "../../packages/agents/src/store/dead-letters.fixture.ts";
import { StoredDeadLetters } from "../../packages/agents/src/store/sql/dead-letters.ts";
import { taskMigrations } from "../../packages/agents/src/store/sql/schema.ts";
import { freshStores } from "../../packages/agents/src/store/sql/sql-store.fixture.ts";
import { openSqlStore } from "../../packages/agents/src/store/sql/sql-store.ts";
import { StoredLogins } from "../../packages/agents/src/store/sql/stored-logins.ts";
import { storeCases } from "../../packages/agents/src/store/store.fixture.ts";
import { tryLedger } from "../../packages/fleet/src/ledger/ledger.fixture.ts";
import { tryHistory } from "../../packages/history/src/history.fixture.ts";
import { tryIsolation } from "../fixtures/isolation.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";

describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openDatabase(await server.newDatabase());
    await migrate(database, "tasks", taskMigrations);
  }, 30_000);
  afterAll(async () => {
    await database?.close();
    await server?.close();
  });

  describe("logins", () => {
    test.each(loginCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
      run(new StoredLogins(database)),
    );
  });

  test("a history: runs, levels and verdicts over time, filled from recordings", async () => {
    const history = await openHistory(await server.newDatabase());
    await tryHistory(history).finally(() => history.close());
  });

  test("the ledger of a fleet: one verdict for an agent in a sweep, the newest of each, evidence for a while", async () => {
    const ledger = await openLedger(await server.newDatabase());
    await tryLedger(ledger).finally(() => ledger.close());
  });

  test("who follows a task elsewhere misses nothing when connections are cut", async () => {
    const address = await server.newDatabase();
    const [here, there] = [await openSqlStore(address, Date.now), await openSqlStore(address, Date.now)];
    await here.create("s", { id: "t", status: { state: "TASK_STATE_WORKING" } });
    const follower = there.follow("s", "t", 1, new AbortController().signal);
    const append = (seq: number, state: TaskState) => here.append("s", "t", seq, [{ is: "status", status: { state } }]);
    await append(1, "TASK_STATE_WORKING");
    expect((await follower.next()).value).toHaveLength(1);
    const next = follower.next();
    const cutting = await openDatabase(address);
    await cutting.all(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await cutting.close();
    await append(2, "TASK_STATE_COMPLETED");
    expect((await next).value).toEqual([{ is: "status", status: { state: "TASK_STATE_COMPLETED" } }]);
    await Promise.all([here.close(), there.close()]);
  });

  test.each(callerCases.map(({ title, run }) => [title, run] as const))("%s", async (_title, run) => {
    const address = await server.newDatabase();
    const stores: { close(): Promise<void> }[] = [];
    await run(async (openTasks) => {
      const store = await openSqlStore(address, Date.now, { openTasks });
      stores.push(store);
      return store;
    }).finally(() => Promise.all(stores.map((store) => store.close())));
  });

  test("what one caller brings too much of pushes out its own, and no other's", async () => {
    let time = Date.now();
    const store = await openSqlStore(await server.newDatabase(), () => time++, {
      retention: { tasks: 6, bytes: 1e9, ms: 1e9 },
    });
    const done = (id: string) => ({ id, status: { state: "TASK_STATE_COMPLETED" } as const });
    for (const id of ["a", "b"]) await store.create("quiet", done(id), "quiet");
    for (let n = 0; n < 10; n++) await store.create("loud", done(`l${n}`), "loud");
    await store.tidy();
    expect([(await store.list("quiet", {}, 9)).total, (await store.list("loud", {}, 9)).total]).toEqual([2, 4]);
    await store.close();
  });

  test.each(deadLetterCases.map(({ title, run }) => [title, run] as const))(
    "undelivered notifications: %s",
    (_title, run) =>
      run(
        (room) =>
          new StoredDeadLetters(
            database,
            (error) => {
              throw error;
            },
            room,
          ),
      ),
  );

  describe("two callers of one agent", () => {
    test("whatever is asked about the task of another takes the steps of one that there is not", () =>
      tryForeignTasks(notingStatements(database)));

    tryIsolation(useTestbed(async () => ({ timeScale: 0.02, store: { address: await server.newDatabase() } })));
  });

  test.each(storeCases.map(({ title, run }) => [title, run] as const))(
    "%s",
    (_title, run) => run(freshStores(() => database)),
    60_000,
  );
});

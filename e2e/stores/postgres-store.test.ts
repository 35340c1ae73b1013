import type { TaskState } from "@assay/protocol";
import { type Database, migrate, openDatabase, sql } from "@assay/storage";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerCases } from "../../packages/agents/src/store/callers.fixture.ts";
import { taskMigrations } from "../../packages/agents/src/store/sql/schema.ts";
import { freshStores } from "../../packages/agents/src/store/sql/sql-store.fixture.ts";
import { openSqlStore } from "../../packages/agents/src/store/sql/sql-store.ts";
import { storeCases } from "../../packages/agents/src/store/store.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";

/** Tasks in PostgreSQL; what else is kept there has its tests in kept-in-postgres.long.test.ts. */
describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openDatabase(await server.newDatabase());
    await migrate(database, "tasks", taskMigrations);
  });
  afterAll(async () => {
    await database?.close();
    await server?.close();
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

  test("a caller that stores too many tasks loses its own, never those of others", async () => {
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

  test.each(storeCases.map(({ title, run }) => [title, run] as const))(
    "%s",
    (_title, run) => run(freshStores(() => database)),
    60_000,
  );
});

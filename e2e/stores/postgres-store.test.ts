import type { TaskState } from "@assay/protocol";
import { type Database, migrate, openDatabase, sql } from "@assay/storage";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerCases } from "../../packages/agents/src/store/callers.fixture.ts";
import { taskMigrations } from "../../packages/agents/src/store/sql/schema.ts";
import { freshStores } from "../../packages/agents/src/store/sql/sql-store.fixture.ts";
import { openSqlStore } from "../../packages/agents/src/store/sql/sql-store.ts";
import { totalOf } from "../../packages/agents/src/store/sql/totals.ts";
import { storeCases } from "../../packages/agents/src/store/store.fixture.ts";
import type { TaskFilter } from "../../packages/agents/src/store/store.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";

/** A step of a query plan of PostgreSQL. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the number of rows that the scans of a plan read. */
const rowsRead = ({ Plans = [], ...node }: PlanNode): number =>
  (node["Node Type"].includes("Scan") ? node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) : 0) +
  Plans.reduce((sum, plan) => sum + rowsRead(plan), 0);

/** Tests tasks in PostgreSQL. kept-in-postgres.long.test.ts tests everything else there. */
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

  test("a subscriber on another server misses no event when connections are cut", async () => {
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

  test("totals stay right when servers change, end and remove tasks of one context at the same time", async () => {
    const address = await server.newDatabase();
    const stores = [await openSqlStore(address, Date.now), await openSqlStore(address, Date.now)];
    const time = Date.now();
    const lives = Array.from({ length: 80 }, async (_, number) => {
      const [id, store] = [`t${number}`, stores[number % 2]!];
      const says = (seq: number, state: TaskState) =>
        store.append("s", id, seq, [
          { is: "status", status: { state, timestamp: new Date(time + number).toISOString() } },
        ]);
      await store.create("s", { id, contextId: "c", status: { state: "TASK_STATE_SUBMITTED" } });
      await says(1, "TASK_STATE_INPUT_REQUIRED");
      await says(2, "TASK_STATE_WORKING");
      if (number % 4 > 0) await says(3, "TASK_STATE_COMPLETED");
      if (number % 4 === 1) await store.remove("s", id);
    });
    await Promise.all(lives);
    const total = async (filter: TaskFilter) => (await stores[0]!.list("s", filter, 1)).total;
    expect([
      await total({ contextId: "c" }),
      await total({ contextId: "c", state: "TASK_STATE_COMPLETED" }),
      await total({ contextId: "c", state: "TASK_STATE_INPUT_REQUIRED" }),
      await total({ since: time - 10_000 }),
      await total({ since: time - 10_000, state: "TASK_STATE_WORKING" }),
    ]).toEqual([60, 40, 0, 60, 20]);
    for (let number = 0; number < 80; number++) await stores[1]!.remove("s", `t${number}`);
    const opened = await openDatabase(address);
    expect(await opened.all(sql`select * from assay_totals`)).toEqual([]);
    for (const each of [...stores, opened]) await each.close();
  });

  test("the total of a filter reads as many rows of a large table as of a small one", async () => {
    const address = await server.newDatabase();
    const store = await openSqlStore(address, Date.now);
    const asked = await openDatabase(address);
    const time = Date.parse("2026-11-16T12:00:00.000Z");
    const filters: readonly TaskFilter[] = [
      {},
      { state: "TASK_STATE_COMPLETED" },
      { contextId: "c" },
      { contextId: "c", state: "TASK_STATE_COMPLETED" },
      { since: time - 86_400_000 },
      { since: time - 86_400_000, state: "TASK_STATE_COMPLETED" },
    ];
    const read = () =>
      Promise.all(
        filters.map(async (filter) => {
          // PostgreSQL scans a small table completely, so only a large one shows the cost.
          const plans = await asked.transaction(async (tx) => {
            await tx.run(sql`set local enable_seqscan = off`);
            return tx.all<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(
              sql`explain (analyze, format json) ${totalOf("postgres", "s", filter)}`,
            );
          });
          return rowsRead(plans[0]!["QUERY PLAN"][0]!.Plan);
        }),
      );
    /** Adds ended tasks, each one second older than the previous one. */
    const fill = async (from: number, to: number) => {
      const numbers = Array.from({ length: to - from }, (_, index) => from + index);
      const status = (number: number) =>
        ({ state: "TASK_STATE_COMPLETED", timestamp: new Date(time - number * 1_000).toISOString() }) as const;
      await Promise.all(numbers.map((n) => store.create("s", { id: `t${n}`, contextId: "c", status: status(n) })));
      await asked.run(sql`analyze`);
    };
    await fill(0, 100);
    const few = await read();
    await fill(100, 600);
    const many = await read();
    for (const [index, rows] of many.entries())
      expect(rows, JSON.stringify(filters[index])).toBeLessThanOrEqual(few[index]! + 16);
    for (const each of [store, asked]) await each.close();
  });

  test.each(storeCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run(freshStores(() => database)),
  );
});

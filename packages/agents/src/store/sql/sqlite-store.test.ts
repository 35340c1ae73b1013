import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Task, TaskState } from "@assay/protocol";
import { type Database, migrate, openDatabase, type Query, sql } from "@assay/storage";
import { BudgetExceeded } from "@assay/wire/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { loginCases } from "../../identity/oidc/logins.fixture.ts";
import { callerCases } from "../callers.fixture.ts";
import { deadLetter } from "../dead-letter.ts";
import { deadLetterCases } from "../dead-letters.fixture.ts";
import { storeCases } from "../store.fixture.ts";
import { CallerFull, CursorExpired, StoreFull, type TaskEvent, type TaskFilter } from "../store.ts";
import { StoredDeadLetters } from "./dead-letters.ts";
import { digestOf, keyOf, nameOf } from "./keys.ts";
import { taskMigrations } from "./schema.ts";
import { freshStores } from "./sql-store.fixture.ts";
import { openSqlStore, SqlStore, type SqlStoreOptions } from "./sql-store.ts";
import { StoredLogins } from "./stored-logins.ts";
import { totalOf } from "./totals.ts";

let database: Database;
const folder = mkdtempSync(join(tmpdir(), "assay-store-"));
beforeAll(async () => {
  database = await openDatabase(`sqlite:${join(folder, "tasks.db")}`, { alone: true });
  await migrate(database, "tasks", taskMigrations);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const noon = Date.parse("2026-11-16T12:00:00.000Z");
const task = (id: string, state: TaskState = "TASK_STATE_WORKING", time = noon): Task => ({
  id,
  contextId: "context",
  status: { state, timestamp: new Date(time).toISOString() },
});
const ended: TaskEvent = {
  is: "status",
  status: { state: "TASK_STATE_COMPLETED", timestamp: new Date(noon).toISOString() },
};

const rethrow = (error: unknown): never => {
  throw error;
};

let opened = 0;
const newFile = (): string => `sqlite:${join(folder, `own-${++opened}.db`)}`;

/** A store with a separate file. */
async function ownStore(address = newFile(), now = () => noon, options: Partial<SqlStoreOptions> = {}) {
  const store = await openSqlStore(address, now, options);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { store, close };
}

describe("a store in a file", () => {
  test("tasks, event order, webhooks, secrets and cursors are there after a restart", async () => {
    const address = newFile();
    const before = await ownStore(address);
    for (const id of ["a", "b", "c"]) await before.store.create("s", task(id));
    await before.store.append("s", "a", 1, [
      { is: "artifact", artifact: { artifactId: "x", parts: [{ text: "one" }] }, append: false, lastChunk: false },
    ]);
    await before.store.webhooks.put("s", "a", { config: { id: "w", url: "https://example.com" }, version: "0.3" }, 5);
    const secret = await before.store.secret("name", () => "made once");
    const { cursor } = await before.store.list("s", {}, 2);
    await before.close();

    const { store } = await ownStore(address);
    expect(await store.snapshot("s", "a")).toMatchObject({
      seq: 2,
      task: { artifacts: [{ parts: [{ text: "one" }] }] },
    });
    expect(await store.webhooks.of("s", "a")).toEqual([
      { config: { id: "w", url: "https://example.com" }, version: "0.3" },
    ]);
    expect([await store.secret("name", () => "made again"), secret]).toEqual(["made once", "made once"]);
    expect((await store.list("s", {}, 2, cursor)).tasks).toHaveLength(1);
  });

  test("what another process left at work is abandoned; what waits or has ended is not", async () => {
    const address = newFile();
    const before = await ownStore(address);
    await before.store.create("s", task("working"));
    await before.store.create("s", task("waiting", "TASK_STATE_INPUT_REQUIRED"));
    await before.store.claim("s", "waiting", "a turn of then", noon + 60_000);
    await before.store.create("s", task("done", "TASK_STATE_COMPLETED"));
    expect(await before.store.upkeep.abandoned()).toEqual([]);
    await before.close();

    const { store } = await ownStore(address);
    expect(await store.upkeep.abandoned()).toEqual([{ scope: "s", id: "working" }]);
    await store.append("s", "working", 1, [ended]);
    expect(await store.upkeep.abandoned()).toEqual([]);
    expect(await store.claim("s", "waiting", "a turn of now", noon + 60_000)).toBe(true);
  });

  test("a server that renews its lease is there, one that does not is gone", async () => {
    let time = noon;
    const here = new SqlStore(database, () => time, { leaseMs: 1_000 });
    const there = new SqlStore(database, () => time, { leaseMs: 1_000 });
    await there.upkeep.renew();
    await there.create("leases", task("t"));
    time += 900;
    await there.upkeep.renew();
    time += 900;
    expect([await here.upkeep.isElsewhere("leases", "t"), await here.upkeep.abandoned()]).toEqual([true, []]);
    time += 200;
    expect(await here.upkeep.isElsewhere("leases", "t")).toBe(false);
    expect(await here.upkeep.abandoned()).toEqual([{ scope: "leases", id: "t" }]);
  });

  test("tasks go when there are too many, or when they ended long ago; open ones stay", async () => {
    let time = noon;
    const { store } = await ownStore(newFile(), () => time, { retention: { tasks: 3, ms: 1_000, bytes: 1e9 } });
    for (const id of ["a", "b", "c"]) await store.create("s", task(id));
    await expect(store.create("s", task("d"))).rejects.toThrow(StoreFull);
    await store.append("s", "b", 1, [ended]);
    time += 10;
    await store.append("s", "a", 1, [ended]);
    await store.create("s", task("d"));
    const left = async () => (await store.list("s", {}, 10)).tasks.map(({ id }) => id).sort();
    expect(await left()).toEqual(["a", "c", "d"]);
    time += 1_001;
    await store.tidy();
    expect([await left(), (await store.list("s", {}, 1)).total, store.size]).toEqual([["c", "d"], 2, 2]);
  });

  test("tasks go when they take too much, those that ended first; when only open ones are left, a new one is refused", async () => {
    const { store } = await ownStore(newFile(), () => noon, { retention: { tasks: 100, ms: 1e9, bytes: 3_000 } });
    const large = (id: string): Task => ({ ...task(id), metadata: { filling: "x".repeat(900) } });
    for (const id of ["a", "b", "c"]) await store.create("s", large(id));
    await expect(store.create("s", large("d"))).rejects.toThrow(StoreFull);
    await store.append("s", "b", 1, [ended]);
    await store.create("s", large("d"));
    expect((await store.list("s", {}, 10)).tasks.map(({ id }) => id).sort()).toEqual(["a", "c", "d"]);
    await store.append("s", "a", 1, [
      {
        is: "artifact",
        artifact: { artifactId: "a", parts: [{ text: "x".repeat(5_000) }] },
        append: false,
        lastChunk: true,
      },
      ended,
    ]);
    await store.tidy();
    expect((await store.list("s", {}, 10)).tasks.map(({ id }) => id).sort()).toEqual(["c", "d"]);
    for (const id of ["c", "d"]) await store.remove("s", id);
    await store.tidy();
    expect(store.size).toBe(0);
  });

  test("a walk that takes longer than places are kept is refused, instead of losing tasks", async () => {
    let time = noon;
    const { store } = await ownStore(newFile(), () => time);
    for (const id of ["a", "b"]) await store.create("s", task(id));
    const { cursor } = await store.list("s", {}, 1);
    time += 3_600_001;
    await expect(store.list("s", {}, 1, cursor)).rejects.toThrow(CursorExpired);
  });

  test("one task does not grow without end, but can end", async () => {
    const { store } = await ownStore(newFile(), () => noon, { taskBytes: 1_000 });
    await store.create("s", task("t"));
    const text = "x".repeat(1_000);
    const chunk: TaskEvent = {
      is: "artifact",
      artifact: { artifactId: "a", parts: [{ text }] },
      append: false,
      lastChunk: false,
    };
    await expect(store.append("s", "t", 1, [chunk])).rejects.toThrow(BudgetExceeded);
    expect(await store.append("s", "t", 1, [ended])).toBe(2);
  });

  test("names may be as long as they like, and hold any character", async () => {
    const { store } = await ownStore();
    const odd = `\0\ud800"'\\${"x".repeat(10_000)}`;
    await store.create(odd, { ...task(odd), contextId: odd });
    const { tasks } = await store.list(odd, { contextId: odd }, 5);
    expect(tasks).toEqual([{ ...task(odd), contextId: odd }]);
    expect(await store.upkeep.idle(noon + 1)).toEqual([{ scope: odd, id: odd }]);
  });
});

describe("every question goes along an index", () => {
  // On a separate connection: with libsql, one that has explained a query sees no later commit.
  let explaining: Database;
  beforeAll(async () => {
    explaining = await openDatabase(`sqlite:${join(folder, "tasks.db")}`);
  });
  afterAll(() => explaining.close());

  /** The store, and SQLite's query plans. */
  function watched() {
    const plans: string[] = [];
    const asked: Database = Object.assign(Object.create(database) as Database, {
      async all<Row>(query: Query): Promise<Row[]> {
        const plan = await explaining.all<{ detail: string }>(sql`explain query plan ${query}`);
        plans.push(...plan.map(({ detail }) => detail));
        return database.all<Row>(query);
      },
      transaction: database.transaction.bind(database),
    });
    return { store: new SqlStore(asked, () => noon), plans };
  }

  test.each<[string, string, (store: SqlStore) => Promise<unknown>]>([
    ["get", "sqlite_autoindex_assay_tasks_1", (store) => store.snapshot("s", "t")],
    ["list", "assay_tasks_by_time", (store) => store.list("s", {}, 10)],
    ["list by state", "assay_tasks_by_state", (store) => store.list("s", { state: "TASK_STATE_WORKING" }, 10)],
    ["list by context", "assay_tasks_by_context", (store) => store.list("s", { contextId: "c" }, 10)],
    ["the total of a context", "assay_tasks_running", (store) => store.list("s", { contextId: "c" }, 10)],
    [
      "list by context and state",
      "assay_tasks_by_context",
      (store) => store.list("s", { contextId: "c", state: "TASK_STATE_WORKING" }, 10),
    ],
    ["list since", "assay_tasks_by_time", (store) => store.list("s", { since: noon }, 10)],
    [
      "the next page",
      "assay_left_places_by_time",
      (store) => store.list("s", {}, 10, JSON.stringify(["1", noon, noon, "k", 5])),
    ],
    [
      "the next page by state",
      "assay_left_places_by_state",
      (store) => store.list("s", { state: "TASK_STATE_WORKING" }, 10, JSON.stringify(["1", noon, noon, "k", 5])),
    ],
    ["follow", "PRIMARY KEY", (store) => store.follow("s", "t", 0, new AbortController().signal).next()],
    ["idle tasks", "assay_tasks_open", (store) => store.upkeep.idle(noon)],
    ["tasks to stop", "assay_tasks_by_worker", (store) => store.upkeep.stopped()],
  ])("%s by %s", async (what, index, ask) => {
    const { store, plans } = watched();
    await ask(store);
    expect(plans.join("\n")).toContain(index);
    // Scans of subquery results are allowed, scans of tables are not.
    expect(plans.filter((step) => /^SCAN (assay_\w+|t|l|now)\b/.test(step) && !step.includes("assay_moment"))).toEqual(
      [],
    );
    // The current and the earlier places of tasks are merged: at most two pages of rows are sorted.
    expect(plans.filter((step) => step.includes("TEMP B-TREE") && !step.includes("RIGHT PART"))).toEqual(
      what.startsWith("the next page") ? [expect.any(String)] : [],
    );
  });
});

describe("callers in SQLite", () => {
  test.each(callerCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run(async (openTasks) => (await ownStore(newFile(), () => noon, { openTasks })).store),
  );

  const inScope = async (store: SqlStore, scope: string) =>
    (await store.list(scope, {}, 100)).tasks.map(({ id }) => id).sort();
  const done = (id: string) => task(id, "TASK_STATE_COMPLETED");
  const countRows = async (address: string): Promise<number> => {
    const opened = await openDatabase(address);
    const [row] = await opened.all<{ rows: number }>(sql`select count(*) as rows from assay_totals`);
    await opened.close();
    return row!.rows;
  };

  test("a caller that stores too many tasks loses its own, never those of others", async () => {
    let time = noon;
    const { store } = await ownStore(newFile(), () => time++, { retention: { tasks: 6, bytes: 1e9, ms: 1e9 } });
    for (const id of ["a", "b"]) await store.create("quiet", done(id), "quiet");
    for (let n = 0; n < 20; n++) await store.create("loud", done(`l${n}`), "loud");
    expect(await inScope(store, "quiet")).toEqual(["a", "b"]);
    expect((await inScope(store, "loud")).length).toBeLessThanOrEqual(4);
  });

  test("a caller that stores too many bytes loses its own tasks, never those of others", async () => {
    let time = noon;
    const { store } = await ownStore(newFile(), () => time++, { retention: { tasks: 100, bytes: 5_000, ms: 1e9 } });
    const large = (id: string): Task => ({ ...done(id), metadata: { filling: "x".repeat(900) } });
    await store.create("quiet", large("a"), "quiet");
    for (let n = 0; n < 20; n++) await store.create("loud", large(`l${n}`), "loud");
    expect(await inScope(store, "quiet")).toEqual(["a"]);
  });

  test("those who have the same give the same", async () => {
    let time = noon;
    const { store } = await ownStore(newFile(), () => time++, { retention: { tasks: 8, bytes: 1e9, ms: 1e9 } });
    for (let n = 0; n < 10; n++) for (const who of ["a", "b"]) await store.create(who, done(`${n}`), who);
    const [a, b] = [await inScope(store, "a"), await inScope(store, "b")];
    expect(Math.abs(a.length - b.length)).toBeLessThanOrEqual(1);
    expect(a.length + b.length).toBeLessThanOrEqual(8);
  });

  test("one caller keeps so much; what is open stays, and more is refused", async () => {
    let time = noon;
    const caller = { tasks: 3, bytes: 1e9 };
    const retention = { tasks: 100, bytes: 1e9, ms: 1e9, caller };
    const { store } = await ownStore(newFile(), () => time++, { retention });
    for (const id of ["a", "b", "c"]) await store.create("s", task(id), "alice");
    await expect(store.create("s", task("d"), "alice")).rejects.toThrow(CallerFull);
    await store.append("s", "b", 1, [ended]);
    await store.create("s", task("d"), "alice");
    await store.create("s", task("e"), "bob");
    expect(await inScope(store, "s")).toEqual(["a", "c", "d", "e"]);
  });

  test("one caller keeps so much also where the limit came later", async () => {
    const address = newFile();
    let time = noon;
    const before = await ownStore(address, () => time++);
    for (const id of ["a", "b", "c", "d"]) await before.store.create("s", done(id), "alice");
    await before.close();
    const retention = { tasks: 100, bytes: 1e9, ms: 1e9, caller: { tasks: 2, bytes: 1e9 } };
    const { store } = await ownStore(address, () => time++, { retention });
    expect(await inScope(store, "s")).toEqual(["c", "d"]);
  });

  test("tables of before are brought up to date, and their tasks are counted", async () => {
    const address = newFile();
    const old = await openDatabase(address);
    await migrate(old, "tasks", taskMigrations.slice(0, 1));
    for (const [key, phase] of [
      ["k1", 0],
      ["k2", 2],
    ] as const)
      await old.run(
        sql`insert into assay_tasks (key, scope_key, name, seq, phase, state, time, born, bytes, counted, snapshot, snapshot_seq)
          values (${key}, 's', ${JSON.stringify(["s", key])}, 1, ${phase}, 'x', ${noon}, 0, 10, 10, '{}', 1)`,
      );
    await old.close();
    const opened = await openDatabase(address);
    await migrate(opened, "tasks", taskMigrations);
    expect(await opened.all(sql`select tasks, open, bytes from assay_callers where account_key = ''`)).toEqual([
      { tasks: 2, open: 1, bytes: 20 },
    ]);
    await opened.close();
  });

  test("tables of before are counted by context and by time", async () => {
    const address = newFile();
    const old = await openDatabase(address);
    await migrate(old, "tasks", taskMigrations.slice(0, 5));
    const rows = [
      ["k1", "c", "TASK_STATE_WORKING", 0, noon],
      ["k2", "c", "TASK_STATE_COMPLETED", 2, noon],
      ["k3", "d", "TASK_STATE_COMPLETED", 2, noon - 1_000_000],
      ["k4", null, "TASK_STATE_INPUT_REQUIRED", 1, noon - 100_000_000],
    ] as const;
    for (const [id, context, state, phase, time] of rows)
      await old.run(
        sql`insert into assay_tasks (key, scope_key, context_key, name, seq, phase, state, time, born, bytes, counted, snapshot, snapshot_seq)
          values (${keyOf("s", id)}, ${digestOf("s")}, ${context && digestOf(context)}, ${nameOf("s", id)}, 1, ${phase}, ${state},
            ${time}, 0, 10, 10, ${JSON.stringify(task(id))}, 1)`,
      );
    await old.close();
    const { store } = await ownStore(address);
    const total = async (filter: TaskFilter) => (await store.list("s", filter, 1)).total;
    expect([
      await total({ contextId: "c" }),
      await total({ contextId: "d" }),
      await total({ contextId: "c", state: "TASK_STATE_COMPLETED" }),
      await total({ since: noon }),
      await total({ since: noon - 1_000_000 }),
      await total({ since: 0 }),
      await total({ since: 0, state: "TASK_STATE_INPUT_REQUIRED" }),
    ]).toEqual([2, 1, 1, 2, 3, 4, 1]);
    // The migration chose the rows that the store changes: none is left over.
    for (const [id] of rows) await store.remove("s", id);
    expect([await total({ since: 0 }), await countRows(address)]).toEqual([0, 0]);
  });

  test("totals of a context and of a time are counts, not rows: they need none", async () => {
    const address = newFile();
    const { store, close } = await ownStore(address);
    for (let n = 0; n < 20; n++) await store.create("s", done(`t${n}`));
    await close();
    const opened = await openDatabase(address);
    await opened.run(sql`delete from assay_tasks`);
    await opened.close();
    const again = await ownStore(address);
    for (const filter of [
      { contextId: "context" },
      { contextId: "context", state: "TASK_STATE_COMPLETED" },
      { since: noon - 10_000 },
      { since: noon - 10_000, state: "TASK_STATE_COMPLETED" },
    ] as const)
      expect((await again.store.list("s", filter, 1)).total, JSON.stringify(filter)).toBe(20);
  });

  test("the total of a context reads running tasks only, whatever the statistics say", async () => {
    const address = newFile();
    const { store, close } = await ownStore(address);
    for (let n = 0; n < 200; n++) await store.create("s", done(`t${n}`));
    await close();
    const opened = await openDatabase(address);
    onTestFinished(() => opened.close());
    await opened.run(sql`analyze`);
    for (const filter of [{ contextId: "context" }, { contextId: "context", state: "TASK_STATE_COMPLETED" }] as const) {
      const plan = await opened.all<{ detail: string }>(sql`explain query plan ${totalOf("sqlite", "s", filter)}`);
      const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes(" t "));
      expect(steps).toEqual([expect.stringContaining("assay_tasks_running")]);
    }
  });

  test("nothing is kept of callers that have nothing left", async () => {
    const address = newFile();
    const { store, close } = await ownStore(address);
    await store.create("s", done("a"), "alice");
    await store.create("s", done("b"), "bob");
    await store.remove("s", "a");
    await store.tidy();
    await close();
    const opened = await openDatabase(address);
    const rows = await opened.all(sql`select tasks, open from assay_callers`);
    await opened.close();
    expect(rows).toEqual([{ tasks: 1, open: 0 }]);
  });
});

describe("undelivered notifications in SQLite", () => {
  test.each(deadLetterCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run((room) => new StoredDeadLetters(database, rethrow, room)),
  );

  test("are there after a restart, and go with their time", async () => {
    let time = noon;
    const retention = { tasks: 100, bytes: 1e9, ms: 1_000 };
    const address = newFile();
    const before = await ownStore(address, () => time, { retention });
    const config = { id: "c", taskId: "t", url: "https://hook.test/" };
    const letter = deadLetter(config, "{}", { reason: "stopped", attempts: 0 }, noon);
    const written = before.store.deadLetters();
    written.add({ scope: "s", account: "here" }, letter);
    await written.written();
    await before.close();
    const { store } = await ownStore(address, () => time, { retention });
    expect(await store.deadLetters().list("s")).toEqual([letter]);
    time += 1_001;
    await store.tidy();
    expect(await store.deadLetters().list("s")).toEqual([]);
  });

  test("a server that died had still to deliver are there for their caller; what was delivered is not", async () => {
    const address = newFile();
    const before = await ownStore(address);
    const to = { scope: "s", account: "here" };
    const stopped = { reason: "stopped", attempts: 0 } as const;
    const [one, two, three] = ["one", "two", "three"].map((id) =>
      deadLetter({ id: "c", taskId: id, url: "https://hook.test/" }, "{}", stopped, noon),
    );
    for (const letter of [one!, two!, three!]) before.store.outbox.add(to, letter);
    // Removed before it was written.
    before.store.outbox.remove(three!.id);
    await before.store.outbox.written();
    before.store.outbox.remove(two!.id);
    await before.store.outbox.written();
    await before.close();

    const { store } = await ownStore(address);
    expect(await store.deadLetters().list("s")).toEqual([]);
    expect(await store.upkeep.abandoned()).toEqual([]);
    expect(await store.deadLetters().list("s")).toEqual([one]);
  });

  test("that cannot be written are reported, and hold up nothing", async () => {
    const trouble: unknown[] = [];
    const broken = await openDatabase(`sqlite:${join(folder, "no-tables.db")}`);
    onTestFinished(() => broken.close());
    const letters = new StoredDeadLetters(broken, (error) => trouble.push(error));
    letters.add({ scope: "s", account: "a" }, deadLetter({ url: "x" }, "{}", { reason: "failed", attempts: 1 }, noon));
    await letters.written();
    expect(trouble).toHaveLength(1);
  });
});

describe("logins in SQLite", () => {
  test.each(loginCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run(new StoredLogins(database)),
  );

  test("keeps a limited number of logins and drops the expired and the oldest", async () => {
    const logins = new StoredLogins(database, 50);
    for (let n = 0; n < 201; n++) await logins.set({ kind: "Interaction", id: `many ${n}`, payload: {}, until: 1 });
    expect(await database.all(sql`select key from assay_logins where until = 1`)).toEqual([]);
    for (let n = 0; n < 301; n++) await logins.set({ kind: "Interaction", id: `many ${n}`, payload: {} });
    const [{ count } = { count: 0 }] = await database.all<{ count: number }>(
      sql`select count(*) as count from assay_logins`,
    );
    expect(count).toBeLessThanOrEqual(150);
    expect(await logins.get("Interaction", "many 300")).toEqual({});
  });
});

describe("in SQLite", () => {
  test.each(storeCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run(freshStores(() => database)),
  );
});

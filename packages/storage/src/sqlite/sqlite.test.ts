import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { DatabaseUnavailable } from "../database.ts";
import { type Migration, migrate } from "../migrations.ts";
import { openDatabase } from "../open.ts";
import { raw, sql } from "../query.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

async function open(file = join(folder, `${++files}.db`), options = {}) {
  const database = await openDatabase(`sqlite:${file}`, options);
  onTestFinished(() => database.close());
  return database;
}

const numbers: Migration = { version: 1, name: "numbers", statements: () => [sql`create table numbers (n bigint)`] };

async function withNumbers() {
  const database = await open();
  await migrate(database, "test", [numbers]);
  const all = async () => (await database.all<{ n: number }>(sql`select n from numbers order by n`)).map(({ n }) => n);
  return { database, all };
}

test("a transaction that throws leaves nothing, and those written with it are not touched", async () => {
  const { database, all } = await withNumbers();
  const add = (n: number, trouble?: Error) =>
    database.transaction(async (tx) => {
      await tx.run(sql`insert into numbers (n) values (${n})`);
      if (trouble) throw trouble;
      return n;
    });
  const settled = await Promise.allSettled([add(1), add(2, new Error("no")), add(3)]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await all()).toEqual([1, 3]);
});

test("what is not committed is not seen", async () => {
  const { database, all } = await withNumbers();
  let seen: number[] | undefined;
  await database.transaction(async (tx) => {
    await tx.run(sql`insert into numbers (n) values (${1})`);
    seen = await all();
  });
  expect([seen, await all()]).toEqual([[], [1]]);
});

test("a statement that SQLite refuses fails alone", async () => {
  const { database, all } = await withNumbers();
  const settled = await Promise.allSettled([
    database.run(sql`insert into nowhere (n) values (1)`),
    database.run(sql`insert into numbers (n) values (${5})`),
  ]);
  expect([settled.map(({ status }) => status), await all()]).toEqual([["rejected", "fulfilled"], [5]]);
});

test("times and texts come back as they went in", async () => {
  const { database } = await withNumbers();
  const [row] = await database.all(
    sql`select ${1_800_000_000_123} as time, ${"a\u{1F600}\n'"} as text, ${null} as absent`,
  );
  expect(row).toEqual({ time: 1_800_000_000_123, text: "a\u{1F600}\n'", absent: null });
});

test("a file is taken by one process at a time where that is asked for, and free when it is closed", async () => {
  const file = join(folder, "taken.db");
  const first = await openDatabase(`sqlite:${file}`, { alone: true });
  await expect(open(file, { alone: true })).rejects.toThrow(`${file} is in use by another process`);
  await open(file);
  await first.close();
  await open(file, { alone: true });
});

// Windows renames no open file.
test.skipIf(process.platform === "win32")("the lock belongs to the file, not to its name", async () => {
  const file = join(folder, "named.db");
  const taken = "is in use by another process";
  const first = await openDatabase(`sqlite:${file}`, { alone: true });
  symlinkSync(file, join(folder, "symbolic.db"));
  await expect(open(join(folder, "symbolic.db"), { alone: true })).rejects.toThrow(taken);
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  linkSync(file, join(elsewhere, "hard.db"));
  await expect(open(join(elsewhere, "hard.db"), { alone: true })).rejects.toThrow("has 2 names (hard links)");
  rmSync(join(elsewhere, "hard.db"));
  renameSync(file, join(folder, "renamed.db"));
  await expect(open(join(folder, "renamed.db"), { alone: true })).rejects.toThrow(taken);
  renameSync(join(folder, "renamed.db"), file);
  await first.close();
  await open(join(folder, "symbolic.db"), { alone: true });
});

// Windows has no such modes.
test.skipIf(process.platform === "win32")("only the owner can read new files", async () => {
  const own = join(folder, "private");
  mkdirSync(own);
  await migrate(await open(join(own, "tasks.db"), { alone: true }), "test", [numbers]);
  const modes = readdirSync(own).map((each) => [
    each.replace(/\d+/, "n"),
    (statSync(join(own, each)).mode & 0o777).toString(8),
  ]);
  expect(modes).toEqual([
    [".assay-n.lock", "600"],
    ["tasks.db", "600"],
    ["tasks.db-shm", "600"],
    ["tasks.db-wal", "600"],
  ]);
});

test("where there is no room, everything that was to be written together fails and says so; then it goes on", async () => {
  const { database, all } = await withNumbers();
  await database.run(sql`create table texts (t text)`);
  const [{ page_count: pages } = { page_count: 0 }] = await database.all<{ page_count: number }>(
    sql`pragma page_count`,
  );
  const most = (count: number) => database.write(sql`pragma max_page_count = ${raw(String(count))}`);
  await most(pages + 2);
  const settled = await Promise.allSettled([
    database.run(sql`insert into numbers (n) values (${1})`),
    database.run(sql`insert into texts (t) values (${"x".repeat(100_000)})`),
    database.run(sql`insert into numbers (n) values (${2})`),
  ]);
  for (const each of settled) {
    const { reason } = each as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(DatabaseUnavailable);
    expect(reason.message).toContain("database or disk is full (SQLITE_FULL)");
  }
  expect(await all()).toEqual([]);
  await most(1_000_000);
  await database.run(sql`insert into numbers (n) values (${3})`);
  expect(await all()).toEqual([3]);
});

test("what is no database, and where none can be, is said", async () => {
  const file = join(folder, "text.db");
  writeFileSync(file, "this is no database, however long it may be made to look like one".repeat(20));
  await expect(open(file)).rejects.toThrow(DatabaseUnavailable);
  await expect(open(join(folder, "not/there.db"))).rejects.toThrow("as a SQLite database");
});

test("migrations are done once, in order, and a database that is further on is left alone", async () => {
  const { database, all } = await withNumbers();
  await database.run(sql`insert into numbers (n) values (${7})`);
  const second: Migration = {
    version: 2,
    name: "names",
    statements: () => [sql`alter table numbers add column name text`, sql`update numbers set name = 'seven'`],
  };
  await Promise.all([migrate(database, "test", [numbers, second]), migrate(database, "test", [numbers, second])]);
  expect([await all(), await database.all(sql`select name from numbers`)]).toEqual([[7], [{ name: "seven" }]]);
  await expect(migrate(database, "test", [numbers])).rejects.toThrow(
    "created by a newer version of Assay (schema 2, this version supports 1)",
  );
  await migrate(database, "other", []);
});

test("a migration that fails leaves the tables as they were", async () => {
  const { database, all } = await withNumbers();
  const broken: Migration = {
    version: 2,
    name: "broken",
    statements: () => [sql`insert into numbers (n) values (1)`, sql`insert into nowhere (n) values (1)`],
  };
  await expect(migrate(database, "test", [numbers, broken])).rejects.toThrow("nowhere");
  expect(await all()).toEqual([]);
  await migrate(database, "test", [numbers]);
});

import { closeSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, DatabaseUnavailable, type Sql } from "../database.ts";
import type { Query, SqlValue } from "../query.ts";
import { type OpenSqlite, type SqliteFile, type SqliteStatement, sqliteLibrary } from "./library.ts";
import { asUnavailable, isBusy, isUnavailable } from "./trouble.ts";

/** So many transactions are written with one commit at most. */
const mostTogether = 500;

/**
 * Opens a file, which is made where there is none. With `alone`, no other process may have it open in the same way: what
 * wakes readers does not reach across processes.
 */
export async function openSqlite(file: string, { alone = false } = {}): Promise<Database> {
  const open = await sqliteLibrary();
  try {
    forOwnerAlone(file);
    // However it was named, it is opened by the name that its journal goes by.
    const real = realpathSync(file);
    const lock = alone ? heldLock(open, real) : undefined;
    return new SqliteDatabase(open, real, lock);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new DatabaseUnavailable(`${file} cannot be opened as a SQLite database: ${(error as Error).message}`);
  }
}

/** What is kept may be nobody else's business: SQLite gives its other files the mode of this one. */
function forOwnerAlone(file: string): void {
  closeSync(openSync(file, "a", 0o600));
}

/**
 * A lock that the system lets go of when the process ends, however it ends: a transaction that is never finished. It goes by the file
 * itself and not by its name, under which it may be moved or linked.
 */
function heldLock(open: OpenSqlite, file: string): SqliteFile {
  const { ino, nlink } = statSync(file, { bigint: true });
  if (nlink > 1n)
    throw new DatabaseUnavailable(
      `${file} has ${nlink} names (hard links), and SQLite keeps a journal for each: servers on two of them would destroy it. Remove the others, or copy the file`,
    );
  const name = join(dirname(file), `.assay-${ino}.lock`);
  forOwnerAlone(name);
  const lock = open(name);
  try {
    lock.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DatabaseUnavailable(
      `${file} is in use by another process; only PostgreSQL takes several servers on one store`,
    );
  }
}

/** A transaction that waits for its turn. */
interface Job {
  readonly work: (sql: Sql) => Promise<unknown>;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Two connections: one writes, one reads, and the reader sees nothing that is not committed. Transactions that wait at the
 * same time are written with one commit: what it costs to reach the disk is shared by all of them.
 */
class SqliteDatabase implements Database {
  readonly kind = "sqlite";
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #lock: SqliteFile | undefined;
  readonly #file: string;
  #jobs: Job[] = [];
  #writing: Promise<void> | undefined;

  constructor(open: OpenSqlite, file: string, lock: SqliteFile | undefined) {
    this.#lock = lock;
    this.#file = file;
    this.#writer = new Connection(open(file));
    this.#writer.exec("pragma busy_timeout = 10000");
    this.#writer.exec("pragma journal_mode = wal");
    // Every commit reaches the disk before it is acknowledged; the default of WAL would leave that to a checkpoint.
    this.#writer.exec("pragma synchronous = full");
    this.#reader = new Connection(open(file));
    this.#reader.exec("pragma busy_timeout = 10000");
    this.#reader.exec("pragma query_only = 1");
  }

  async all<Row>(query: Query): Promise<Row[]> {
    try {
      return this.#reader.rows(query) as Row[];
    } catch (error) {
      throw asUnavailable(error, this.#file);
    }
  }

  run(...queries: readonly Query[]): Promise<void> {
    return this.transaction((sql) => sql.run(...queries));
  }

  write<Row>(query: Query): Promise<Row[]> {
    return this.transaction((tx) => tx.all<Row>(query));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, failed) => {
      this.#jobs.push({ work, done: (result) => resolve(result as T), failed });
      this.#writing ??= this.#write();
    });
  }

  // There is nobody else to tell, or to listen to.
  async listen(): Promise<void> {}
  async tell(): Promise<void> {}

  async close(): Promise<void> {
    await this.#writing;
    this.#reader.close();
    this.#writer.close();
    this.#lock?.close();
  }

  async #write(): Promise<void> {
    while (this.#jobs.length > 0) {
      // What this turn of the loop still brings comes along.
      await new Promise(setImmediate);
      const jobs = this.#jobs.splice(0, mostTogether);
      try {
        await this.#commit(jobs);
      } catch (error) {
        for (const { failed } of jobs) failed(asUnavailable(error, this.#file));
      }
    }
    this.#writing = undefined;
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const settled: (() => void)[] = [];
    const writer = this.#writer;
    writer.exec("begin immediate");
    try {
      for (const { work, done, failed } of jobs) {
        writer.step("savepoint job");
        try {
          const result = await work(writer);
          settled.push(() => done(result));
        } catch (error) {
          // SQLite may have rolled back all of them: what was done for the others is gone.
          if (isUnavailable(error)) throw error;
          writer.step("rollback to job");
          settled.push(() => failed(error));
        }
        writer.step("release job");
      }
      writer.exec("commit");
    } catch (error) {
      writer.abandon();
      throw error;
    }
    for (const settle of settled) settle();
  }
}

/** A connection that remembers its statements. */
class Connection implements Sql {
  readonly #file: SqliteFile;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  exec(text: string): void {
    this.#file.exec(text);
  }

  /** Rolls back, unless SQLite has done so by itself: its complaint about that would hide what went wrong. */
  abandon(): void {
    try {
      this.#file.exec("rollback");
    } catch {}
  }

  step(text: string): void {
    this.#statement(text).run();
  }

  rows(query: Query): unknown[] {
    return this.#statement(query.text(questionMark)).all(...(query.values as SqlValue[]));
  }

  async all<Row>(query: Query): Promise<Row[]> {
    return this.rows(query) as Row[];
  }

  async run(...queries: readonly Query[]): Promise<void> {
    for (const query of queries) this.#statement(query.text(questionMark)).run(...query.values);
  }

  close(): void {
    this.#statements.clear();
    this.#file.close();
  }

  #statement(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#file.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

const questionMark = (): string => "?";

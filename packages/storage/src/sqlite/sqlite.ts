import { closeSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, DatabaseUnavailable, type Sql } from "../database.ts";
import type { Query, SqlValue } from "../query.ts";
import { type OpenSqlite, type SqliteFile, type SqliteStatement, sqliteLibrary } from "./library.ts";

/**
 * SQLite errors after which a statement may succeed later (https://www.sqlite.org/rescode.html), by primary
 * result code.
 */
const passing: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
};

/** Reads the error number, which each library names differently. Its lower byte is the primary code. */
function nameOf(error: unknown): string | undefined {
  const { rawCode, errcode } = error as { rawCode?: number; errcode?: number };
  const code = rawCode ?? errcode;
  return code === undefined ? undefined : passing[code & 0xff];
}

const isBusy = (error: unknown): boolean => nameOf(error) === "SQLITE_BUSY";

/**
 * Returns true if the file cannot be used for now, for example because its disk is full. Any other error is a
 * fault of the statement.
 */
const isUnavailable = (error: unknown): boolean => nameOf(error) !== undefined;

function asUnavailable(error: unknown, file: string): unknown {
  const name = nameOf(error);
  return name === undefined ? error : new DatabaseUnavailable(`${file}: ${(error as Error).message} (${name})`, error);
}

/** Maximum number of transactions written with one commit. */
const mostTogether = 500;

/**
 * Opens a file and creates it if it is missing. With `alone`, no other process may have it open in the same
 * way, because change notifications do not cross processes.
 */
export async function openSqlite(file: string, { alone = false } = {}): Promise<Database> {
  const open = await sqliteLibrary();
  try {
    forOwnerAlone(file);
    // The journal belongs to the real path, however the file was named.
    const real = realpathSync(file);
    const lock = alone ? heldLock(open, real) : undefined;
    return new SqliteDatabase(open, real, lock);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new DatabaseUnavailable(`Cannot open ${file} as a SQLite database: ${(error as Error).message}`);
  }
}

/** Makes the file private to its owner. SQLite gives its other files the same mode. */
function forOwnerAlone(file: string): void {
  closeSync(openSync(file, "a", 0o600));
}

/**
 * Takes a lock that the system releases when the process ends, however it ends: a transaction that is never
 * finished. It locks the file itself, which may be moved or linked under other names.
 */
function heldLock(open: OpenSqlite, file: string): SqliteFile {
  const { ino, nlink } = statSync(file, { bigint: true });
  if (nlink > 1n)
    throw new DatabaseUnavailable(
      `${file} has ${nlink} names (hard links). SQLite keeps a journal for each, so servers that use two of them would corrupt it. Remove the other links, or copy the file`,
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
      `${file} is in use by another process. To share one store between several servers, use PostgreSQL`,
    );
  }
}

/** A transaction waiting for its turn. */
interface Job {
  readonly work: (sql: Sql) => Promise<unknown>;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Uses two connections: one writes, one reads, and the reader sees only committed data. Waiting transactions
 * share one commit, and so the cost of reaching the disk.
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
    // Every commit reaches the disk before it is acknowledged. The WAL default would wait for a
    // checkpoint.
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

  // No other process has the file open.
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
      // Includes transactions that arrive in this turn of the event loop.
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
          // SQLite may have rolled back all of them, including the work of the other jobs.
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

/** A connection that caches its statements. */
class Connection implements Sql {
  readonly #file: SqliteFile;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  exec(text: string): void {
    this.#file.exec(text);
  }

  /** Rolls back unless SQLite already did. Its error about that would hide the original one. */
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

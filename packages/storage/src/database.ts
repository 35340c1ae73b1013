import { AssayError } from "@assay/protocol/assay-error";
import type { Query } from "./query.ts";

export type DatabaseKind = "sqlite" | "postgres";

/** Where statements are sent to: a database, or a transaction in it. */
export interface Sql {
  /** The rows that a statement gives. */
  all<Row>(query: Query): Promise<Row[]>;
  /** Statements that give no rows and do not depend on each other; they are sent together. */
  run(...queries: readonly Query[]): Promise<void>;
}

/**
 * A database. A statement outside of a transaction sees only what is on disk. What a transaction has written is on disk when
 * its promise is kept; where its work throws, nothing of it is written. Where the database is away or full, it is a
 * `DatabaseUnavailable`.
 */
export interface Database extends Sql {
  readonly kind: DatabaseKind;
  /** The rows that a statement gives which writes: it is on disk then, and is not sent twice. */
  write<Row>(query: Query): Promise<Row[]>;
  /** The work awaits nothing but the statements it is given: other writers wait for it. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Hears what is told on a channel by others that have this database open. What is told while the connection is down is
   * lost; `missed` says that this may have happened.
   */
  listen(channel: string, heard: (words: string) => void, missed: () => void): Promise<void>;
  tell(channel: string, words: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A database cannot be opened, or not be used for now: it is away, or its disk is full. The message says what is wrong, and
 * never holds a password.
 */
export class DatabaseUnavailable extends AssayError {
  constructor(message: string, cause?: unknown) {
    super({ code: "database-unavailable", message, cause });
  }
}

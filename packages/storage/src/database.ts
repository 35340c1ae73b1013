import { AssayError } from "@assay/protocol/assay-error";
import type { Query } from "./query.ts";

export type DatabaseKind = "sqlite" | "postgres";

/** Executes statements: a database, or a transaction in it. */
export interface Sql {
  /** Returns the rows of a statement. */
  all<Row>(query: Query): Promise<Row[]>;
  /** Runs statements that return no rows and do not depend on each other. They are sent together. */
  run(...queries: readonly Query[]): Promise<void>;
}

/**
 * A database. A statement outside a transaction sees only data that is on disk. A transaction is on disk when
 * its promise resolves. If its work throws, nothing is written. An unreachable or full database throws
 * `DatabaseUnavailable`.
 */
export interface Database extends Sql {
  readonly kind: DatabaseKind;
  /** Returns the rows of a writing statement. It is on disk by then and is never sent twice. */
  write<Row>(query: Query): Promise<Row[]>;
  /** The work may await only the statements it is given, because other writers wait for it. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Receives notifications on a channel from other processes with this database open. Notifications sent
   * while the connection is down are lost; `missed` is called when that may have happened.
   */
  listen(channel: string, heard: (words: string) => void, missed: () => void): Promise<void>;
  tell(channel: string, words: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The database cannot be opened, or cannot be used for now: it is unreachable, or its disk is full. The
 * message gives the reason and never holds a password.
 */
export class DatabaseUnavailable extends AssayError {
  constructor(message: string, cause?: unknown) {
    super({ code: "database-unavailable", message, cause });
  }
}

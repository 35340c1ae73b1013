import { DatabaseUnavailable } from "../database.ts";
import type { SqlValue } from "../query.ts";

/** What both libraries have in common. */
export interface SqliteStatement {
  all(...values: readonly SqlValue[]): unknown[];
  run(...values: readonly SqlValue[]): unknown;
}

export interface SqliteFile {
  exec(text: string): unknown;
  prepare(text: string): SqliteStatement;
  close(): unknown;
}

export type OpenSqlite = (file: string) => SqliteFile;

/** Node's own SQLite where it has one, `libsql` where it has not. The latter comes as a binary: nothing is compiled. */
export async function sqliteLibrary(): Promise<OpenSqlite> {
  const open = (await nodeSqlite()) ?? (await libsql());
  if (open) return open;
  throw new DatabaseUnavailable(
    "SQLite needs Node 22.13 or newer, or the package libsql beside assay (npm install libsql)",
  );
}

async function nodeSqlite(): Promise<OpenSqlite | undefined> {
  // Not written as a name: the types of the oldest Node that we support have no such module.
  const name: string = "node:sqlite";
  const { DatabaseSync } = await withoutWarning(() => import(name).catch(() => ({})));
  return DatabaseSync && ((file) => new DatabaseSync(file));
}

async function libsql(): Promise<OpenSqlite | undefined> {
  try {
    const { default: Libsql } = await import("libsql");
    return (file) => new Libsql(file) as SqliteFile;
  } catch {
    return undefined;
  }
}

/** Node 22 tells everybody who loads its SQLite that it is an experiment: users of ours have not asked. */
async function withoutWarning<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (() => {}) as typeof process.emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

import { DatabaseUnavailable } from "../database.ts";
import type { SqlValue } from "../query.ts";

/** The interface that both SQLite libraries share. */
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

/**
 * Loads Node's built-in SQLite, or `libsql` if Node has none. `libsql` is a prebuilt binary: nothing is
 * compiled.
 */
export async function sqliteLibrary(): Promise<OpenSqlite> {
  const open = (await nodeSqlite()) ?? (await libsql());
  if (open) return open;
  throw new DatabaseUnavailable("SQLite needs Node 22.13 or newer, or the package libsql: npm install libsql");
}

async function nodeSqlite(): Promise<OpenSqlite | undefined> {
  // The name is a variable because the types of the oldest supported Node lack this module.
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

/** Hides the experimental warning that Node 22 prints when its SQLite is loaded. */
async function withoutWarning<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (() => {}) as typeof process.emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dialect, type SqliteDatabase, SqliteDialect } from "kysely";
import Libsql from "libsql";

/** Opens a new file with the library and the durability of our own store: everything answered is on disk. */
export function sdkSqlite(): Dialect {
  const database = new Libsql(join(mkdtempSync(join(tmpdir(), "assay-bench-")), "tasks.db"));
  database.exec("pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full");
  // The database has the interface of the driver that Kysely expects, although its types differ.
  return new SqliteDialect({ database: database as unknown as SqliteDatabase });
}

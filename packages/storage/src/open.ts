import { type DatabaseAddress, readAddress } from "./address.ts";
import type { Database } from "./database.ts";

interface OpenOptions {
  /** for a SQLite file: no other process may have it open in the same way */
  readonly alone?: boolean;
}

/** Opens a database by its address and loads the library it needs. */
export async function openDatabase(address: DatabaseAddress | string, options: OpenOptions = {}): Promise<Database> {
  const place = typeof address === "string" ? readAddress(address) : address;
  if (place.kind === "sqlite") {
    const { openSqlite } = await import("./sqlite/sqlite.ts");
    return openSqlite(place.file, options);
  }
  const { openPostgres } = await import("./postgres/postgres.ts");
  return openPostgres(place);
}

import { openDatabase, raw, sql } from "@assay/storage";
import { hasServer, type OwnServer, startServer } from "../own-server.case.ts";

/** A PostgreSQL server of its own. */
export interface PostgresServer extends OwnServer {
  /** A new, empty database: its address. */
  newDatabase(): Promise<string>;
}

const script = "scripts/postgres.mjs";

export const hasPostgres = hasServer(script);

export async function startPostgres(): Promise<PostgresServer> {
  const server = await startServer(script);
  const { address } = server;
  let made = 0;
  return {
    ...server,
    async newDatabase() {
      const name = `test_${++made}`;
      const database = await openDatabase(address);
      await database.run(sql`create database ${raw(name)}`);
      await database.close();
      return address.replace(/postgres$/, name);
    },
  };
}

import { openDatabase, raw, sql } from "@assay/storage";
import { hasServer, type OwnServer, startServer } from "../own-server.case.ts";

/** A PostgreSQL server of its own. */
export interface PostgresServer extends OwnServer {
  /** A new, empty database: its address. */
  newDatabase(): Promise<string>;
}

const script = "scripts/postgres.mjs";

export const hasPostgres = hasServer(script);

/** `durable`: every commit reaches the disk before it is acknowledged, as tests of what survives need it; others may be fast. */
export async function startPostgres(how: "fast" | "durable" = "fast"): Promise<PostgresServer> {
  const server = await startServer(script, ...(how === "durable" ? ["--fsync"] : []));
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

import { chownSync } from "node:fs";
import { openDatabase, raw } from "@assay/storage";
import { hasServer, type OwnServer, startServer } from "../fixtures/own-server.fixture.ts";

/** A PostgreSQL server of its own. */
export interface PostgresServer extends OwnServer {
  /** A new, empty database, in this folder if one is given: its address. */
  newDatabase(folder?: string): Promise<string>;
}

const script = "scripts/postgres.mjs";
/** What the server runs as where we are root (scripts/own-server.mjs). */
const nobody = 65_534;

export const hasPostgres = hasServer(script);

/** `durable`: every commit reaches the disk before it is acknowledged, as tests of what survives need it; others may be fast. */
export async function startPostgres(how: "fast" | "durable" = "fast"): Promise<PostgresServer> {
  const server = await startServer(script, ...(how === "durable" ? ["--fsync"] : []));
  const { address } = server;
  let made = 0;
  return {
    ...server,
    async newDatabase(folder) {
      const name = `test_${++made}`;
      const database = await openDatabase(address);
      if (folder !== undefined) {
        chownSync(folder, nobody, nobody);
        await database.run(raw(`create tablespace ${name} location '${folder}'`));
      }
      await database.run(raw(`create database ${name}${folder === undefined ? "" : ` tablespace ${name}`}`));
      await database.close();
      return address.replace(/postgres$/, name);
    },
  };
}

import { chownSync } from "node:fs";
import { openDatabase, raw } from "@assay/storage";
import { hasServer, type OwnServer, startServer } from "../fixtures/own-server.fixture.ts";

/** A PostgreSQL server for one test. */
export interface PostgresServer extends OwnServer {
  /** Creates an empty database, in this folder if one is given, and returns its address. */
  newDatabase(folder?: string): Promise<string>;
}

const script = "scripts/postgres.mjs";
/** The user that runs the server if the test runs as root (scripts/own-server.mjs). */
const nobody = 65_534;

export const hasPostgres = hasServer(script);

/** With `durable`, every commit reaches the disk before its acknowledgement. Only tests of crashes need that. */
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

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { openDatabase, raw, sql } from "@assay/storage";

/** A PostgreSQL server of its own. */
export interface PostgresServer {
  /** A new, empty database: its address. */
  newDatabase(): Promise<string>;
  close(): Promise<void>;
}

/** Whether there is one; where not, that has been said by then, and with CI=true it is a failure. */
const ready = spawnSync(process.execPath, ["scripts/postgres.mjs", "--look"], { encoding: "utf8" });
if (ready.status !== 0) throw new Error(`PostgreSQL must be had and cannot: ${ready.stderr}`);
export const hasPostgres = ready.stdout !== "";
if (!hasPostgres) process.stderr.write(ready.stderr);

export async function startPostgres(): Promise<PostgresServer> {
  const child = spawn(process.execPath, ["scripts/postgres.mjs"], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  const [address] = (await once(createInterface(child.stdout), "line")) as [string];
  let made = 0;
  return {
    async newDatabase() {
      const name = `test_${++made}`;
      const database = await openDatabase(address);
      await database.run(sql`create database ${raw(name)}`);
      await database.close();
      return address.replace(/postgres$/, name);
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}

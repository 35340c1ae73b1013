import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase, raw, sql } from "@assay/storage";

/** What its programs run as where the tests run as root: PostgreSQL refuses that. */
const nobody = { uid: 65_534, gid: 65_534 };
const password = "s3cret-of-the-store";

/** A PostgreSQL server of its own, in a folder of its own, on a free port of this machine. */
export interface PostgresServer {
  /** A new, empty database: its address. */
  newDatabase(): Promise<string>;
  close(): Promise<void>;
}

/** The folder of its programs; absent where there is none, which has been said by then. */
const programs = spawnSync(process.execPath, ["scripts/postgres.mjs"], { encoding: "utf8" });
if (programs.status !== 0) throw new Error(`PostgreSQL must be had and cannot: ${programs.stderr}`);
const folder = programs.stdout.trim();

export const hasPostgres = folder !== "";
if (!hasPostgres) process.stderr.write(programs.stderr);

export async function startPostgres(): Promise<PostgresServer> {
  const place = mkdtempSync(join(tmpdir(), "assay-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? nobody : {};
  if (isRoot) chownSync(place, nobody.uid, nobody.gid);
  const data = join(place, "data");
  const initialised = spawnSync(
    join(folder, "initdb"),
    ["-D", data, "-U", "assay", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...identity, cwd: place, encoding: "utf8" },
  );
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.stderr}`);
  const port = await freePort();
  // The machine is not switched off in tests: what the server has taken is safe when our own process dies.
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${place}`, "fsync=off"];
  const server = spawn(join(folder, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...identity,
    cwd: place,
    stdio: "ignore",
  });
  const endWithUs = () => server.kill("SIGQUIT");
  process.once("exit", endWithUs);
  const addressOf = (database: string) => `postgres://assay:${password}@127.0.0.1:${port}/${database}`;
  await untilReady(addressOf("postgres"), server);
  let made = 0;
  return {
    async newDatabase() {
      const name = `test_${++made}`;
      const database = await openDatabase(addressOf("postgres"));
      await database.run(sql`create database ${raw(name)}`);
      await database.close();
      return addressOf(name);
    },
    async close() {
      process.off("exit", endWithUs);
      const closed = once(server, "close");
      server.kill("SIGQUIT");
      await closed;
      rmSync(place, { recursive: true, force: true });
    },
  };
}

async function untilReady(address: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at once, with ${server.exitCode}`);
    try {
      await (await openDatabase(address)).close();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error("PostgreSQL does not answer");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

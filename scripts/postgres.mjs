// PostgreSQL for the tests of stores. Where its programs are missing they are installed, as root on Debian and what is made from
// it; elsewhere the reason is printed and nothing else, and in CI on Linux that is a failure. `node scripts/postgres.mjs` makes
// a server of its own in a temporary folder, on a free port of this machine and as an unprivileged user, prints its address when
// it is ready, and ends it when the input ends; with `--look` it prints where its programs are.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";
import { freePort, keep, ownFolder } from "./own-server.mjs";

/** Where Debian puts each version, the newest first. */
const debianFolder = "/usr/lib/postgresql";

/** Installs it where that can be done and has not been done; where it must be had and cannot, the process ends. */
export async function postgresReady() {
  const folder = found() ?? ((await aptInstall("PostgreSQL", "postgresql")) ? found() : undefined);
  if (folder !== undefined) return folder;
  missingTool(
    "There is no PostgreSQL. Install it (Debian, Ubuntu: apt install postgresql).",
    "The tests of the PostgreSQL store are skipped.",
  );
  return undefined;
}

function found() {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debianFolder, version, "bin")), bindir()].filter(Boolean);
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

function bindir() {
  const { status, stdout } = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** A password that nobody asks for: it must not turn up anywhere. */
const password = "s3cret-of-the-store";

async function serve(programs) {
  // PostgreSQL refuses to run as root.
  const { folder, as } = ownFolder("postgres");
  const data = join(folder, "data");
  const choices = ["-U", "assay", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = spawnSync(join(programs, "initdb"), ["-D", data, ...choices], { ...as, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  // Tests that crash or restart the server, and published times, ask for --fsync. Without it tests are fast and survive
  // the death of our own processes, but a crash of the server loses what it took in its last second.
  const fsync = process.argv.includes("--fsync") ? "on" : "off";
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    `fsync=${fsync}`,
    `synchronous_commit=${fsync}`,
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const isReady = () => spawnSync(join(programs, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]).status === 0;
  const start = async () => {
    const server = spawn(join(programs, "postgres"), ["-D", data, ...options], { ...as, stdio: "ignore" });
    while (server.exitCode === null && !isReady()) await pause(50);
    return server;
  };
  const address = `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
  // It ends without a shutdown in both cases: the next start, if there is one, has to recover.
  await keep({ folder, address, start, crash: "SIGQUIT", end: "SIGQUIT" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const programs = await postgresReady();
  if (programs && process.argv.includes("--look")) process.stdout.write(`${programs}\n`);
  else if (programs) await serve(programs);
}

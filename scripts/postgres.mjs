// PostgreSQL for the tests of stores. As root on Debian and its derivatives it installs missing programs. Elsewhere it
// prints the reason; in CI on Linux that is a failure. `node scripts/postgres.mjs` starts a server in a temporary
// folder, on a free port and as an unprivileged user. It prints its address when it is ready, and stops when stdin
// ends; `--look` only prints the path of the programs.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";
import { freePort, keep, ownFolder } from "./own-server.mjs";

/** Debian's folder, with a subfolder for each version. */
const debianFolder = "/usr/lib/postgresql";

/** Installs PostgreSQL if it is missing. Ends the process if it is required and cannot be installed. */
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

/** The server does not ask for this password. It must not appear in any output. */
const password = "s3cret-of-the-store";

async function serve(programs) {
  // PostgreSQL refuses to run as root.
  const { folder, as } = ownFolder("postgres");
  const data = join(folder, "data");
  const choices = ["-U", "assay", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = spawnSync(join(programs, "initdb"), ["-D", data, ...choices], { ...as, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  // Tests that crash or restart the server need --fsync, and so do published times. Without it tests are faster, and
  // data survives the end of our own processes. But if the server crashes, the data of its last second is lost.
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
  // Both signals end it without a shutdown, so the next start has to recover.
  await keep({ folder, address, start, crash: "SIGQUIT", end: "SIGQUIT" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const programs = await postgresReady();
  if (programs && process.argv.includes("--look")) process.stdout.write(`${programs}\n`);
  else if (programs) await serve(programs);
}

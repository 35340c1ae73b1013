// PostgreSQL for the tests of stores: `node scripts/postgres.mjs` prints the folder of its programs. Where they are missing
// they are installed, as root on Debian and what is made from it; elsewhere the reason is printed and nothing else, and
// with CI=true that is a failure.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./steps.mjs";

/** Where Debian puts each version, the newest first. */
const debianFolder = "/usr/lib/postgresql";

/** Installs it where that can be done and has not been done; where it must be had and cannot, the process ends. */
export function postgresReady() {
  const folder = found() ?? installed();
  if (folder !== undefined) return folder;
  const isCi = process.env.CI === "true";
  process.stderr.write(
    `${isCi ? "✗" : "–"} There is no PostgreSQL. Install it (Debian, Ubuntu: apt install postgresql).\n`,
  );
  if (isCi) process.exit(1);
  process.stderr.write("  The tests of the PostgreSQL store are skipped.\n");
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

function installed() {
  const isDebian =
    existsSync("/etc/os-release") && /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));
  if (!isDebian || process.getuid?.() !== 0) return undefined;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const quietly = { quiet: true, mayFail: true, env };
  const isDone =
    run("reading the lists of packages", "apt-get", ["update", "-q"], quietly) &&
    run("installing PostgreSQL", "apt-get", ["install", "-qy", "--no-install-recommends", "postgresql"], quietly);
  return isDone ? found() : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = postgresReady();
  if (folder) process.stdout.write(`${folder}\n`);
}

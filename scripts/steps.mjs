// Steps that `npm start` and `npm test` share: each does only what is not done yet, and says what it does.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Runs a command in the repository; ends the process with its code when it fails. */
export function run(title, command, args, options = {}) {
  const started = Date.now();
  process.stderr.write(`▸ ${title} …\n`);
  const quiet = options.quiet === true;
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...options.env },
  });
  if (result.status !== 0) {
    if (quiet) process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    process.stderr.write(`✗ ${title} failed (${result.error?.message ?? `exit ${result.status}`})\n`);
    if (options.mayFail) return false;
    process.exit(result.status || 1);
  }
  process.stderr.write(`  ${title}: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  return true;
}

export const bin = (name) => join(root, "node_modules/.bin", name);

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Assay needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

/** Installs what the lockfile says, unless that is what is installed. */
export function install() {
  requireNode();
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules/.assay-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  // Not `npm ci`: it refuses a lockfile without an entry for every platform's optional binaries, which is what npm
  // writes where the registry offers only those of the platform at hand.
  run("installing dependencies", npm, ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

/** Compiles what changed, and makes the rules and the viewer anew if something of them did. */
export function build() {
  run("reading the rules", process.execPath, ["scripts/rules.mjs"]);
  run("building the viewer", process.execPath, ["scripts/viewer.mjs"]);
  run("building", bin("tsc"), ["-b"]);
}

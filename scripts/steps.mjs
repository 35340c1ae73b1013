// Steps that the commands share. Each skips completed work, and prints its duration.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, root } from "./made-from.mjs";

export { root };

const isWindows = process.platform === "win32";

/** The JavaScript file of each tool, because Windows cannot start the links in node_modules/.bin. */
const programs = {
  biome: "@biomejs/biome/bin/biome",
  knip: "knip/bin/knip.js",
  tsc: "typescript/bin/tsc",
  vitepress: "vitepress/bin/vitepress.js",
  vitest: "vitest/vitest.mjs",
};

/**
 * Runs a command in the repository. Returns true if it succeeded. A failure ends the process unless `mayFail` is set.
 */
export async function run(title, command, args, { quiet = false, mayFail = false, env, cwd = root } = {}) {
  const started = performance.now();
  process.stderr.write(`▸ ${title} …\n`);
  const child = spawn(command, args, {
    cwd,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
    // npm is a shell script on Windows.
    shell: isWindows && command === "npm",
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code === 0) {
    process.stderr.write(`  ${title}: ${seconds} s\n`);
    return true;
  }
  process.stderr.write(
    `${Buffer.concat(output)}✗ ${title} failed after ${seconds} s (${code ?? "ended by a signal"})\n`,
  );
  if (!mayFail) process.exit(typeof code === "number" ? code : 1);
  return false;
}

/** Runs one of our scripts or built programs with this Node. */
export const runNode = (title, script, args = [], options = {}) =>
  run(title, process.execPath, [join(root, script), ...args], options);

/** Runs a tool that npm has installed. */
export const runTool = (title, tool, args, options) => runNode(title, `node_modules/${programs[tool]}`, args, options);

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Assay needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}

/** Installs the packages of the lockfile, unless they are installed. */
export async function install() {
  requireNode();
  const lockfile = readFileSync(join(root, "package-lock.json"));
  const lock = digestOf(lockfile, "hex");
  const stamp = join(root, "node_modules/.assay-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  // Unlike `npm ci`, this keeps the packages that are installed already.
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  // Without this flag npm downloads every package again, because the lockfile has no addresses. Its digests still
  // apply.
  const fromCache = ["--prefer-offline"];
  // npm's cache may be older than the version in the lockfile, so try again without it.
  if (!(await run("installing dependencies", "npm", [...words, ...fromCache], { quiet: true, mayFail: true })))
    await run("installing dependencies without the cache", "npm", words);
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, lock);
}

/** Compiles the changed files, and makes the rules, the profiles and the viewer again if their sources changed. */
export async function build() {
  await Promise.all([
    runNode("reading the rules", "scripts/rules.mjs"),
    runNode("reading the profiles", "scripts/profiles.mjs"),
    runNode("building the viewer", "scripts/viewer.mjs"),
    runTool("building", "tsc", ["-b"]),
  ]);
}

/** Runs lint, dead code and prose one after the other, and counts them like tests. */
export async function lint() {
  const quietly = { quiet: true, mayFail: true };
  const results = [
    ["linting", await runTool("linting", "biome", ["ci", "."], quietly)],
    ["dead code", await runTool("looking for dead code", "knip", [], quietly)],
    ["prose", await runNode("checking prose", "scripts/prose.mjs", [], quietly)],
  ];
  const failing = results.filter(([, isGreen]) => !isGreen).map(([file]) => ({ file, message: "see above" }));
  return { passed: results.length - failing.length, files: [], failing };
}

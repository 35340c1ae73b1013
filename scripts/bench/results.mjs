// Handles the rows that the programs of `npm run bench` measured: files, tables in pages, and comparisons.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../steps.mjs";

const recorded = join(root, "docs/performance.json");

/** Imports a module of the built workspace bench. */
const built = (name) => import(`../../bench/dist/results/${name}.js`);

/** Returns the origin of the numbers, without host names or paths. */
export function sourceNow() {
  const [{ model } = { model: "unknown" }] = cpus();
  return {
    commit: commitNow(),
    date: `${new Date().toISOString().slice(0, 19)}Z`,
    node: process.versions.node,
    machine: { cores: cpus().length, model: model.trim() },
  };
}

function commitNow() {
  const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  try {
    const changes = git("status", "--porcelain", "--untracked-files=no");
    return `${git("rev-parse", "--short=8", "HEAD")}${changes === "" ? "" : " with changes"}`;
  } catch {
    // The source was downloaded without its history.
    return "unknown";
  }
}

/**
 * Calls `use` with the environment variable through which programs report rows. Returns the rows, even after a failure.
 */
export async function rowsOf(size, use) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const file = join(folder, "rows.ndjson");
  try {
    const isDone = await use({ BENCH_ROWS: file, BENCH_SIZE: size });
    const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    return { isDone, rows: lines.map((line) => JSON.parse(line)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const save = (file, results) => writeFileSync(file, textOf({ version: 1, results }));

/** Writes one row per line, so that a diff shows the changes. */
function textOf({ version, results }) {
  const told = results.map(({ rows, ...about }) => {
    const lines = rows.map((row) => `        ${JSON.stringify(row)}`).join(",\n");
    const head = JSON.stringify(about, undefined, 2).slice(2, -2).replaceAll(/^/gm, "    ");
    return `    {\n${head},\n      "rows": [\n${lines}\n      ]\n    }`;
  });
  return `{\n  "version": ${version},\n  "results": [\n${told.join(",\n")}\n  ]\n}\n`;
}

/** Replaces the committed results of these subjects, and the tables of all pages. */
export async function record(results, order) {
  const before = existsSync(recorded) ? (await read(recorded)).results : [];
  const kept = before.filter(({ subject }) => !results.some((result) => result.subject === subject));
  const all = [...kept, ...results].toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
  save(recorded, all);
  await writePages();
}

async function writePages() {
  const { withTables } = await built("page");
  const results = await read(recorded);
  const pages = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"));
  for (const page of ["README.md", ...pages.map((file) => `docs/${file}`)]) {
    const text = readFileSync(join(root, page), "utf8");
    const written = withTables(text, results);
    if (written !== text) writeFileSync(join(root, page), written);
  }
}

/** Prints the rows that are worse beyond noise. Returns true if there are none. */
export async function compareFiles(before, after) {
  const changes = await changesSince(before, await read(after));
  const isGreen = await list(changes, ({ isBeyondNoise }) => isBeyondNoise, "are worse beyond noise");
  if (changes.length === 0) process.stdout.write("The files share no rows that can be compared.\n");
  return isGreen && changes.length > 0;
}

/** Prints the rows that fell by more than a fifth, within noise or not. */
export async function compareWith(file, results) {
  const changes = await changesSince(file, { version: 1, results });
  await list(changes, ({ loss }) => loss > 0.2, `fell by more than a fifth against ${file}`);
}

async function changesSince(file, after) {
  const { changesBetween } = await built("compare");
  return changesBetween(await read(file), after);
}

async function list(changes, isListed, words) {
  const { lineOf } = await built("compare");
  const listed = changes.filter(isListed).toSorted((a, b) => b.loss - a.loss);
  process.stdout.write(`\n${listed.length} of ${changes.length} rows ${words}\n`);
  for (const change of listed) process.stdout.write(`  ${lineOf(change)}\n`);
  return listed.length === 0;
}

async function read(file) {
  const { readResults } = await built("rows");
  return readResults(readFileSync(file, "utf8"), file);
}

// `node scripts/prose.mjs [path…]` checks everything a person reads: pages, help texts, messages, rule texts and comments.
// It prints `file:line: problem` and a count per folder, and exits with 1 if there is a problem.
// The unwanted words are in scripts/prose/words.mjs, the exceptions with their reasons in scripts/prose/exceptions.yaml.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { exceptionsIn, withoutExceptions } from "./prose/exceptions.mjs";
import { problemsIn } from "./prose/lint.mjs";
import { isChecked } from "./prose/scope.mjs";
import { root } from "./steps.mjs";

const wanted = process.argv.slice(2).map((path) => relative(root, resolve(path)));
const isWanted = (file) =>
  wanted.length === 0 || wanted.some((path) => path === "" || file === path || file.startsWith(`${path}/`));

const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
if (listed.status !== 0) {
  process.stderr.write(`Cannot list the files of the repository: ${listed.error?.message ?? listed.stderr}\n`);
  process.exit(2);
}

const exceptions = exceptionsIn(readFileSync(join(root, "scripts/prose/exceptions.yaml"), "utf8"));
const files = listed.stdout.split("\n").filter((file) => isChecked(file) && isWanted(file));
const problems = [];
for (const file of files) {
  const text = contentOf(file);
  if (text === undefined) continue;
  const found = withoutExceptions(file, text, await problemsIn(file, text), exceptions);
  problems.push(...found.map((problem) => ({ file, ...problem })));
}
for (const { file, text } of exceptions.filter((each) => !each.used && files.includes(each.file))) {
  const message = `nothing to except in ${file}: "${text}"`;
  problems.push({ file: "scripts/prose/exceptions.yaml", line: 1, message });
}

const counts = new Map();
for (const { file, line, message } of problems) {
  process.stdout.write(`${file}:${line}: ${message}\n`);
  const folder = file.startsWith("packages/") ? file.split("/").slice(0, 2).join("/") : file.split("/")[0];
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
for (const [folder, count] of [...counts].sort(([, a], [, b]) => b - a)) {
  process.stdout.write(`${String(count).padStart(6)}  ${folder}\n`);
}
const number = problems.length === 0 ? "No" : problems.length;
process.stdout.write(`${number} ${problems.length === 1 ? "problem" : "problems"}, ${files.length} files checked.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** A file that was deleted and is still in the index has no content. */
function contentOf(file) {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

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
const counts = new Map();
const files = listed.stdout.split("\n").filter((file) => isChecked(file) && isWanted(file));
for (const file of files) {
  const text = contentOf(file);
  if (text === undefined) continue;
  for (const { line, message } of withoutExceptions(file, text, await problemsIn(file, text), exceptions)) {
    process.stdout.write(`${file}:${line}: ${message}\n`);
    const folder = file.startsWith("packages/") ? file.split("/").slice(0, 2).join("/") : file.split("/")[0];
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
}

for (const { file, text } of exceptions.filter((each) => !each.used && files.includes(each.file))) {
  process.stdout.write(`scripts/prose/exceptions.yaml: nothing to except in ${file}: "${text}"\n`);
  counts.set("exceptions", (counts.get("exceptions") ?? 0) + 1);
}

for (const [folder, count] of [...counts].sort(([, a], [, b]) => b - a)) {
  process.stdout.write(`${String(count).padStart(6)}  ${folder}\n`);
}
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
process.stdout.write(
  `${total === 0 ? "No" : total} ${total === 1 ? "problem" : "problems"} in ${files.length} files.\n`,
);
process.exitCode = total === 0 ? 0 : 1;

/** A file that was deleted and is still in the index has no content. */
function contentOf(file) {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

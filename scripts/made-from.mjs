// Files that the build generates and git ignores. They are generated again when one of their sources has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns the path of the stamp, which lists all sources of a generated file with their digests. */
const stampOf = (file) => join(root, file.replace(/\.js$/, ".json"));

/**
 * Returns true if a file exists and its sources are unchanged. Without `inputs`, it checks the sources of the last
 * build.
 */
export function isFresh(file, inputs) {
  if (!existsSync(join(root, file)) || !existsSync(stampOf(file))) return false;
  const known = JSON.parse(readFileSync(stampOf(file), "utf8"));
  if (inputs && String(inputs) !== String(Object.keys(known))) return false;
  return Object.entries(known).every(([input, digest]) => digestOfFile(input) === digest);
}

/** Writes a generated file with its stamp. */
export function writeMade(file, text, inputs) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  writeFileSync(stampOf(file), JSON.stringify(Object.fromEntries(inputs.map((input) => [input, digestOfFile(input)]))));
}

export const digestOf = (content, encoding) => createHash("sha256").update(content).digest(encoding);

const digestOfFile = (file) =>
  existsSync(join(root, file)) ? digestOf(readFileSync(join(root, file)), "hex") : undefined;

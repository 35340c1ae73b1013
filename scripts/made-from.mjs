// What the build makes and nobody commits: made anew when one of the files it is made from has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Beside the file that was made: every file that went into it, with its digest. */
const stampOf = (file) => join(root, file.replace(/\.js$/, ".json"));

/** Whether a file is there, and was made from these files as they are now; without a list, from those of last time. */
export function isFresh(file, inputs) {
  if (!existsSync(join(root, file)) || !existsSync(stampOf(file))) return false;
  const known = JSON.parse(readFileSync(stampOf(file), "utf8"));
  if (inputs && String(inputs) !== String(Object.keys(known))) return false;
  return Object.entries(known).every(([input, digest]) => digestOfFile(input) === digest);
}

/** Writes a file that was made from others. */
export function writeMade(file, text, inputs) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  writeFileSync(stampOf(file), JSON.stringify(Object.fromEntries(inputs.map((input) => [input, digestOfFile(input)]))));
}

export const digestOf = (content, encoding) => createHash("sha256").update(content).digest(encoding);

const digestOfFile = (file) =>
  existsSync(join(root, file)) ? digestOf(readFileSync(join(root, file)), "hex") : undefined;

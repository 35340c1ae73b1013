import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFleetSite, siteFolders } from "@assay/fleet";
import { UsageError } from "../exit.ts";

/**
 * Writes a site, file by file. What an earlier one had and this one has not would go on telling of what is gone: it is taken
 * away, from the folders that are all ours. Says how many files there are.
 */
export async function writeSite(
  folder: string,
  files: AsyncIterable<readonly [path: string, text: string]>,
): Promise<number> {
  const left = earlierFiles(folder);
  const made = new Set<string>();
  let count = 0;
  for await (const [path, text] of files) {
    const file = join(folder, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    writeFileSync(file, text);
    left.delete(file);
    count += 1;
  }
  for (const file of left) rmSync(file);
  return count;
}

/** Removes files of an earlier site; refuses to overwrite a page that Assay did not write. */
function earlierFiles(folder: string): Set<string> {
  const index = join(folder, "index.html");
  if (!existsSync(index)) return new Set();
  if (!isFleetSite(readFileSync(index, "utf8")))
    throw new UsageError(`--out: ${index} exists and was not written by Assay`, "Choose another folder.");
  return new Set(
    siteFolders
      .map((name) => join(folder, name))
      .filter((each) => existsSync(each))
      .flatMap((each) => readdirSync(each).map((file) => join(each, file))),
  );
}

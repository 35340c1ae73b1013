import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import type { ActsFile, SourcePlace } from "../model.ts";
import { ActsMistakes, type Mistake } from "./page.ts";
import { readActsFile } from "./read-file.ts";

/**
 * Reads the given files, those in the given folders, and those they include; each once, in order. Throws all
 * mistakes of all files.
 */
export function readCorpus(named: readonly string[]): ActsFile[] {
  const mistakes: Mistake[] = [];
  const seen = new Set<string>();
  const files: ActsFile[] = [];
  const add = (file: string, from?: SourcePlace): void => {
    const text = textOf(file, from, mistakes);
    if (text === undefined) return;
    const real = realpathSync(file);
    if (seen.has(real)) return;
    seen.add(real);
    const { read, page } = readActsFile(file, text);
    mistakes.push(...page.mistakes);
    if (!read) return;
    files.push(read);
    for (const { name, at } of read.includes) add(join(dirname(file), name), at);
  };
  for (const path of named) for (const file of filesAt(path)) add(file);
  mistakes.push(...repeated(files));
  if (mistakes.length) throw new ActsMistakes(mistakes);
  return files;
}

function filesAt(path: string): string[] {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch {
    throw new UsageError(`${path}: no such file or folder`);
  }
  if (!isFolder) return [path];
  const names = readdirSync(path).filter((name) => /\.acts\.(ya?ml|json)$/.test(name));
  if (!names.length)
    throw new UsageError(`${path}: this folder has no ACTS file (they end in .acts.yaml, .acts.yml or .acts.json)`);
  // A file that includes the others sets their order.
  const first = (name: string): number => (basename(name).startsWith("suite.") ? 0 : 1);
  return names.sort((a, b) => first(a) - first(b) || a.localeCompare(b)).map((name) => join(path, name));
}

function textOf(file: string, from: SourcePlace | undefined, mistakes: Mistake[]): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const because = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    if (!from) throw new UsageError(`Cannot read ${file} (${because})`);
    mistakes.push({ at: from, says: `include: expected a readable file, found ${file} (${because})` });
    return undefined;
  }
}

/** Reports repeated test ids. */
function repeated(files: readonly ActsFile[]): Mistake[] {
  const known = new Map<string, SourcePlace>();
  return files.flatMap(({ suites }) =>
    suites.flatMap(({ tests }) =>
      tests.flatMap(({ id, at }): Mistake[] => {
        const first = known.get(id);
        if (!first) known.set(id, at);
        return first
          ? [
              {
                at,
                says: `the id "${id}": expected a unique id; ${first.file}:${first.line} has it too`,
              },
            ]
          : [];
      }),
    ),
  );
}

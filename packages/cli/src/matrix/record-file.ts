import { appendFileSync, createReadStream, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { MatrixDocument, MatrixRecord } from "@assay/matrix";
import type { MatrixFlags } from "../commands/matrix.ts";
import { UsageError } from "../exit.ts";

/** The first line of the recording of a matrix. */
export interface MatrixHead {
  readonly is: "matrix";
  readonly startedAt: string;
  readonly version: string;
  /** digest of the scenarios */
  readonly scenarios: string;
  readonly timeScale: number;
  readonly filters: MatrixFilters;
  readonly places: MatrixPlaces;
  /** --no-chain */
  readonly chain?: false;
}

/** Absolute paths of the files and folders. */
interface MatrixPlaces {
  readonly drivers: string;
  readonly scenarios: string;
}

export const filterNames = ["client", "server", "binding", "dialect", "scenario", "sdk"] as const;
/** The options that select a part of the matrix. */
export type MatrixFilters = Pick<MatrixFlags, (typeof filterNames)[number]>;

export const filtersOf = (flags: MatrixFilters): MatrixFilters =>
  Object.fromEntries(filterNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));

/**
 * Returns the flags of a resumed matrix. Its drivers, scenarios and time scale are those of the first session. So are
 * its filters, unless some are given: then they replace all of them.
 */
export async function resumedFlags(given: MatrixFlags): Promise<MatrixFlags> {
  if (given.resume === undefined) return given;
  const file = recordsToResume(given.resume);
  const { value: head } = await recordsIn(file).next();
  // Files of earlier versions have no places.
  if (head?.is !== "matrix" || !head.places)
    throw new UsageError(`--resume: ${file} is not a recorded matrix of this version.`, "Start a new matrix.");
  const { timeScale, places, filters, chain } = head;
  const differs = [
    ["--drivers", given.drivers && resolve(given.drivers), places.drivers],
    ["--scenarios", given.scenarios && resolve(given.scenarios), places.scenarios],
    ["--time-scale", given.timeScale, timeScale],
  ].find(([, now, first]) => now !== undefined && now !== first);
  if (differs)
    throw new UsageError(
      `--resume: ${differs[0]} differs from that of the matrix in ${file}.`,
      `Remove ${differs[0]}, or start a new matrix without --resume.`,
    );
  const isFiltered = Object.keys(filtersOf(given)).length > 0;
  return { ...given, ...places, timeScale, ...(!isFiltered && filters), ...(chain === false && { chain }) };
}

const folder = join(".assay", "matrix");

/** Creates a file of records that only the operator can read. */
export function beginRecords(head: MatrixHead): string {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(".assay", ".gitignore"))) writeFileSync(join(".assay", ".gitignore"), "*\n");
  const file = join(folder, `${head.startedAt.replaceAll(/[:.]/g, "-")}.ndjson`);
  writeFileSync(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  return file;
}

export const appendRecord = (file: string, record: MatrixRecord): void =>
  appendFileSync(file, `${JSON.stringify(record)}\n`);

/** Saves the document beside its records, where `assay ui` finds it. */
export const keepDocument = (file: string, matrix: MatrixDocument): void =>
  writeFileSync(`${file.replace(/\.ndjson$/, "")}.json`, `${JSON.stringify(matrix)}\n`, { mode: 0o600 });

/** Returns the file to resume: the named one, or the newest. */
export function recordsToResume(named: string | true): string {
  const newest = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".ndjson"))
        .toSorted()
        .at(-1)
    : undefined;
  const file = named === true ? newest && join(folder, newest) : named;
  if (file === undefined || !existsSync(file))
    throw new UsageError("--resume: no interrupted matrix found.", `Assay keeps them in ${folder}.`);
  return file;
}

/**
 * Reads the records of an earlier session. It stops at an incomplete line, which an interrupted session may leave at
 * the end.
 */
export async function* recordsIn(file: string): AsyncGenerator<MatrixHead | MatrixRecord, void> {
  for await (const line of createInterface(createReadStream(file))) {
    try {
      yield JSON.parse(line) as MatrixHead | MatrixRecord;
    } catch {
      return;
    }
  }
}

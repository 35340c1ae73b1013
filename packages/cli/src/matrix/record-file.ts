import { appendFileSync, createReadStream, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DriverDescription, MatrixDocument, MatrixRecord } from "@assay/matrix";
import type { MatrixFlags } from "../commands/matrix.ts";
import { UsageError } from "../exit.ts";

/** The first line of what is written down of a matrix. */
export interface MatrixHead {
  readonly is: "matrix";
  readonly startedAt: string;
  readonly version: string;
  /** digest of the scenarios */
  readonly scenarios: string;
  readonly timeScale: number;
  /** absent in older files */
  readonly filters?: MatrixFilters;
}

export const filterNames = ["client", "server", "binding", "dialect", "scenario", "sdk"] as const;
/** The options that select a part of the matrix. */
export type MatrixFilters = Pick<MatrixFlags, (typeof filterNames)[number]>;

export const filtersOf = (flags: MatrixFilters): MatrixFilters =>
  Object.fromEntries(filterNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));

/** Returns the filters of an earlier run, for `--resume` without any: its cells must not become more. */
export async function resumedFilters(named: string | true): Promise<MatrixFilters> {
  for await (const line of recordsIn(recordsToResume(named))) return line.is === "matrix" ? (line.filters ?? {}) : {};
  return {};
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

/** Keeps the document beside its records, where `assay ui` finds it. */
export const keepDocument = (file: string, matrix: MatrixDocument): void =>
  writeFileSync(`${file.replace(/\.ndjson$/, "")}.json`, `${JSON.stringify(matrix)}\n`, { mode: 0o600 });

/** The file to resume: the named one, or the newest. */
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

/** Reads what an earlier sitting wrote; the last line of one that was cut off may be half a line. */
export async function* recordsIn(file: string): AsyncGenerator<MatrixHead | MatrixRecord, void> {
  for await (const line of createInterface(createReadStream(file))) {
    try {
      yield JSON.parse(line) as MatrixHead | MatrixRecord;
    } catch {
      return;
    }
  }
}

/** Whether a record is about the drivers as they are now: another version is another matrix. */
export function isCurrent(record: MatrixRecord, drivers: readonly DriverDescription[], head: MatrixHead): boolean {
  if (record.is === "chain") return record.chain.servers.every((name) => drivers.some((each) => each.name === name));
  return record.cells.every(({ client, server, seal }) =>
    (
      [
        [client, seal.client],
        [server, seal.server],
      ] as const
    ).every(([name, sealed]) => {
      const driver = drivers.find((each) => each.name === name);
      return (
        driver?.package === sealed.package &&
        driver.version === sealed.version &&
        seal.suite.version === head.version &&
        seal.suite.scenarios === head.scenarios
      );
    }),
  );
}

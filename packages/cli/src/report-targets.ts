import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ReportFormat, Run } from "@assay/reporters";
import { didYouMean } from "./did-you-mean.ts";
import { UsageError } from "./exit.ts";

export type Reporters = Readonly<Record<ReportFormat, (run: Run) => string>>;

/** A report that was asked for; without a file it goes to the output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file?: string;
  /** not for others, as everything that is kept without having been asked for */
  readonly isPrivate?: boolean;
}

/** Reads `junit=out/report.xml`, `json`. */
export function targetsOf(given: readonly string[], reporters: Reporters): ReportTarget[] {
  const formats = Object.keys(reporters);
  const isFormat = (name: string): name is ReportFormat => formats.includes(name);
  const targets = given.map((text) => {
    const at = text.indexOf("=");
    const format = at < 0 ? text : text.slice(0, at);
    const file = at < 0 ? undefined : text.slice(at + 1);
    if (!isFormat(format))
      throw new UsageError(
        `--report ${text}: there is no format "${format}".${didYouMean(format, formats)}`,
        `There are: ${formats.join(", ")}; with a file: --report junit=out/report.xml`,
      );
    if (file === "") throw new UsageError(`--report ${text}: name a file behind the =, or leave the = out`);
    return { format, ...(file !== undefined && { file }) };
  });
  const spoken = targets.filter(({ file }) => file === undefined);
  if (spoken.length > 1)
    throw new UsageError(
      `Only one report can go to the output; ${spoken.map(({ format }) => format).join(" and ")} were asked for`,
      `Give the others a file: --report ${spoken[1]!.format}=<file>`,
    );
  return targets;
}

/** A report that could not be written, and why. */
export interface Unwritten {
  readonly format: ReportFormat;
  readonly file: string;
  readonly because: string;
}

/** Writes what was asked for, each by itself: one that cannot be written does not take the others along. */
export function writeReports(
  targets: readonly ReportTarget[],
  reporters: Reporters,
  run: Run,
  write: (text: string) => void,
): Unwritten[] {
  return targets.flatMap(({ format, file, isPrivate }) => {
    try {
      const text = reporters[format](run);
      if (file === undefined) write(text.endsWith("\n") ? text : `${text}\n`);
      else writeFile(file, text, isPrivate ? 0o600 : 0o666);
      return [];
    } catch (error) {
      return [{ format, file: file ?? "the output", because: reasonOf(error as NodeJS.ErrnoException) }];
    }
  });
}

function writeFile(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  writeFileSync(file, text, { mode });
}

/** Step by step: Node's own `recursive` never returns where a file system refuses new folders with ENOENT (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such folder, and it cannot be made",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is no folder",
  EEXIST: "a part of the path is no folder",
};

/** Why a file could not be written, in words. */
export const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => (code && reasons[code]) ?? message;

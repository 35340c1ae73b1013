import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "@assay/library/runs";
import { didYouMean } from "@assay/protocol/core";
import type { Reporters, ReportFormat, Run } from "@assay/reporters";
import { UsageError } from "./exit.ts";
import type { Screen } from "./terminal/screen.ts";

/** A report that was asked for; without a file it goes to the output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file?: string;
  /** not for others, as everything that is kept without having been asked for */
  readonly isPrivate?: boolean;
}

/** Reads `junit=out/report.xml`, `json`. */
export function targetsOf(given: readonly string[], reporters: Partial<Record<ReportFormat, unknown>>): ReportTarget[] {
  const formats = Object.keys(reporters);
  const isFormat = (name: string): name is ReportFormat => formats.includes(name);
  const targets = given.map((text) => {
    const at = text.indexOf("=");
    const format = at < 0 ? text : text.slice(0, at);
    const file = at < 0 ? undefined : text.slice(at + 1);
    if (!isFormat(format))
      throw new UsageError(
        `--report ${text}: unknown format "${format}".${didYouMean(format, formats)}`,
        `Formats: ${formats.join(", ")}. With a file: --report junit=out/report.xml`,
      );
    if (format === "github" && file !== undefined)
      throw new UsageError(
        `--report ${text}: GitHub reads annotations from stdout, so they cannot go to a file`,
        "Omit the file. The job summary goes to the file in GITHUB_STEP_SUMMARY.",
      );
    if (file === "") throw new UsageError(`--report ${text}: missing file name after =. Add it, or omit the =.`);
    return { format, ...(file !== undefined && { file }) };
  });
  const spoken = targets.filter(takesOutput);
  if (spoken.length > 1)
    throw new UsageError(
      `Only one report can go to stdout, but you asked for ${spoken.map(({ format }) => format).join(" and ")}`,
      `Give the others a file: --report ${spoken[1]!.format}=<file>`,
    );
  return targets;
}

/** A report on stdout must be alone there, except annotations for GitHub. */
export const takesOutput = ({ format, file }: ReportTarget): boolean => file === undefined && format !== "github";

/** A report that could not be written, and why. */
export interface Unwritten {
  readonly format: ReportFormat;
  readonly file: string;
  readonly because: string;
}

/** Where reports go that name no file. */
export interface ReportOutlets {
  readonly output: Pick<Screen, "write">;
  /** lines for the build server, next to the lines for people */
  readonly log: Pick<Screen, "commands" | "complain">;
  /** a file for the summary of the job, where there is one: GitHub's runner names it */
  readonly stepSummary: string | undefined;
}

/** Writes what was asked for, each by itself: one that cannot be written does not take the others along. */
export function writeReports(
  targets: readonly ReportTarget[],
  reporters: Reporters,
  run: Run,
  outlets: ReportOutlets,
): Unwritten[] {
  return targets.flatMap(({ format, file, isPrivate }) => {
    try {
      const text = reporters[format](run);
      if (format === "github") tellGitHub(text, reporters.markdown(run), outlets);
      else if (file === undefined) outlets.output.write(text.endsWith("\n") ? text : `${text}\n`);
      else writeFile(file, text, isPrivate ? 0o600 : 0o666);
      return [];
    } catch (error) {
      return [{ format, file: file ?? outletName(format, outlets), because: reasonOf(error as NodeJS.ErrnoException) }];
    }
  });
}

/** The summary is added to what other steps, and tests of other agents, have written there. */
function tellGitHub(annotations: string, summary: string, { log, stepSummary }: ReportOutlets): void {
  log.commands(annotations);
  if (stepSummary) appendFileSync(stepSummary, `${summary}\n`);
  else log.complain("warning: --report github: GITHUB_STEP_SUMMARY is not set, so there is no job summary.");
}

const outletName = (format: ReportFormat, { stepSummary }: ReportOutlets): string =>
  format === "github" && stepSummary ? stepSummary : "the output";

/** Makes the folders that it needs. */
export function writeFile(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  writeFileSync(file, text, { mode });
}

/** Step by step: Node's own `recursive` never returns where a file system refuses new folders with ENOENT (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  // A missing drive of Windows is its own parent.
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}

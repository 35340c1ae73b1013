import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "@assay/library/runs";
import { didYouMean } from "@assay/protocol/core";
import type { Reporters, ReportFormat, Run } from "@assay/reporters";
import { UsageError } from "./exit.ts";
import type { Screen } from "./terminal/screen.ts";

/** A requested report; without a file it goes to stdout. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file?: string;
  /** only for the owner, like every file that Assay writes without a request */
  readonly isPrivate?: boolean;
}

/** Reads report options such as `junit=out/report.xml` or `json`. */
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

/** Returns true if the report needs stdout for itself. Annotations for GitHub share it. */
export const takesOutput = ({ format, file }: ReportTarget): boolean => file === undefined && format !== "github";

/** A report that could not be written, with the reason. */
export interface Unwritten {
  readonly format: ReportFormat;
  readonly file: string;
  readonly because: string;
}

/** The destinations of reports without a file. */
export interface ReportOutlets {
  readonly output: Pick<Screen, "write">;
  /** lines for the build server, next to the lines for people */
  readonly log: Pick<Screen, "commands" | "complain">;
  /** the file for the job summary, if GitHub's runner names one */
  readonly stepSummary: string | undefined;
}

/** Writes the requested reports independently of each other, and returns those that could not be written. */
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

/** Appends the summary, because other steps and tests of other agents write to the same file. */
export function tellGitHub(
  annotations: string,
  summary: string,
  { log, stepSummary }: Pick<ReportOutlets, "log" | "stepSummary">,
): void {
  log.commands(annotations);
  if (stepSummary) appendFileSync(stepSummary, `${summary}\n`);
  else log.complain("warning: --report github: GITHUB_STEP_SUMMARY is not set, so there is no job summary.");
}

const outletName = (format: ReportFormat, { stepSummary }: ReportOutlets): string =>
  format === "github" && stepSummary ? stepSummary : "the output";

/** Writes a file and creates its folders. */
export function writeFile(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  writeFileSync(file, text, { mode });
}

/**
 * Creates folders one by one. Node's `recursive` never returns if a file system rejects new folders with ENOENT
 * (/proc).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  // A missing drive of Windows is its own parent.
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}

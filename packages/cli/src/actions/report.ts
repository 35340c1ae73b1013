import { findRun, RunFolder, readReport, readRun, reasonOf } from "@assay/library/runs";
import type { Run } from "@assay/reporters";
import { formats, formatsWith } from "@assay/reporters/formats";
import { type ConformanceReport, foldRun, Progress, resultsOf } from "@assay/suite/report";
import type { RecordedReportFlags } from "../commands/report.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { reportInHistory } from "../recorded/run-history.ts";
import { takesOutput, targetsOf, tellGitHub, writeFile, writeReports } from "../report-targets.ts";
import { tellNoRun } from "../terminal/closing.ts";
import { escapeText } from "../terminal/escape.ts";
import { headerOf } from "../terminal/header.ts";
import { createPlainView, plainEnding } from "../terminal/plain.ts";
import type { Screen } from "../terminal/screen.ts";
import { summaryOf } from "../terminal/summary.ts";
import { showProcedure } from "../testing/procedure.ts";
import { complainAbout, couldNotBegin } from "../testing/tell.ts";

/** Runs `assay report`: reads runs, and shows a single one again or writes reports. */
export async function makeReports(
  wanted: readonly string[],
  flags: RecordedReportFlags,
  screen: Screen,
  folder = new RunFolder(),
): Promise<ExitCode> {
  const [only, ...others] = wanted;
  return others.length ? mergeReports(wanted, flags, screen, folder) : reportOne(only!, flags, screen, folder);
}

/** Writes the reports of several runs into one file of each format. */
async function mergeReports(
  wanted: readonly string[],
  flags: RecordedReportFlags,
  screen: Screen,
  folder: RunFolder,
): Promise<ExitCode> {
  const { loadMergers, loadReporters } = await import("@assay/reporters");
  const [mergers, { markdown }] = await Promise.all([loadMergers(), loadReporters()]);
  if (flags.procedure || !flags.report)
    throw new UsageError(
      "Several runs can only be merged into reports.",
      `Name a format: --report ${Object.keys(mergers)[0]}=all.xml. Formats: ${Object.keys(mergers).join(", ")}`,
    );
  const unfit = flags.report
    .map((each) => each.split("=", 1)[0]!)
    .find((format) => format in formats && !(format in mergers));
  if (unfit !== undefined)
    throw new UsageError(
      `--report ${unfit} is for one run, not for several`,
      `Formats for several runs: ${Object.keys(mergers).join(", ")}`,
    );
  const targets = targetsOf(flags.report, mergers);
  const runs = await Promise.all(wanted.map((each) => runOf(each, flags, folder)));
  const names = agentNames(runs.map(({ report }) => report));
  const named = runs.map(({ events, report }, index) => ({ events, report, agent: names[index]! }));
  const log = targets.some(takesOutput) ? screen.aside() : screen;
  const stepSummary = process.env["GITHUB_STEP_SUMMARY"];
  let isWhole = true;
  for (const { format, file } of targets) {
    const text = mergers[format]!(named);
    try {
      if (format === "github") tellGitHub(text, named.map(markdown).join("\n"), { log, stepSummary });
      else if (file === undefined) screen.write(text);
      else writeFile(file, text, 0o666);
      if (file !== undefined) screen.complain(`${format} of ${runs.length} runs written to ${file}`);
    } catch (error) {
      isWhole = false;
      screen.complain(
        `assay: cannot write the report to ${file ?? stepSummary ?? "the output"} (${reasonOf(error as NodeJS.ErrnoException)}).`,
      );
    }
  }
  return isWhole ? exitCodes.fine : exitCodes.ours;
}

/**
 * Returns a different name for each run: that of its agent, with the address or a number if the name is taken. The
 * number follows the rules of the run, so that shards keep their names in any order.
 */
function agentNames(reports: readonly ConformanceReport[]): string[] {
  const isUnique = (names: readonly string[], name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const short = reports.map(({ agentName, agentUrl }) => agentName || agentUrl);
  const long = reports.map(({ agentUrl }, index) =>
    isUnique(short, short[index]!) ? short[index]! : `${short[index]} ${agentUrl}`,
  );
  const rules = reports.map((report) =>
    resultsOf(report)
      .map(({ test }) => test)
      .sort()
      .join(),
  );
  return long.map((name, index) => {
    if (isUnique(long, name)) return name;
    const same = [...long.keys()].filter((other) => long[other] === name);
    same.sort((a, b) => rules[a]!.localeCompare(rules[b]!));
    return `${name} ${same.indexOf(index) + 1}`;
  });
}

/** Reads a run, complete or not, and shows or writes its report. */
async function reportOne(
  wanted: string,
  flags: RecordedReportFlags,
  screen: Screen,
  folder: RunFolder,
): Promise<ExitCode> {
  const { loadReporters, procedureReporters, procedureOf } = await import("@assay/reporters");
  const usual = await loadReporters();
  const targets = targetsOf(flags.report ?? [], flags.procedure ? procedureReporters : usual);
  const reporters = flags.procedure ? { ...usual, ...procedureReporters } : usual;
  const { from, isRecorded, ...run } = await runOf(wanted, flags, folder);
  const silent = isRecorded
    ? []
    : targets.map(({ format }) => format).filter((format) => needsRecording.includes(format));
  if (silent.length || (flags.procedure && !isRecorded))
    throw new UsageError(
      `${silent[0] ?? "--procedure"} needs the recording of this run. ${from} has only its report and the evidence of its failures`,
      `These formats work without it: ${formatsWith()
        .filter((format) => !needsRecording.includes(format))
        .join(", ")}`,
    );
  if (!targets.length) {
    if (flags.procedure) showProcedure(procedureOf(run), screen);
    else show(run, isRecorded, screen);
    return exitCodes.fine;
  }
  if (run.report.ending === "cut-off")
    screen.complain(`${from} was interrupted. The report contains the results so far.`);
  const unwritten = writeReports(targets, reporters, run, {
    output: screen,
    log: targets.some(takesOutput) ? screen.aside() : screen,
    stepSummary: process.env["GITHUB_STEP_SUMMARY"],
  });
  complainAbout(unwritten, from, screen);
  for (const { format, file: written } of targets) {
    if (written !== undefined && !unwritten.some((lost) => lost.file === written))
      screen.complain(`${format} written to ${written}`);
  }
  return unwritten.length ? exitCodes.ours : exitCodes.fine;
}

/** Formats that need all exchanges or all events. */
const needsRecording = formatsWith("needsRecording");

interface KnownRun extends Run {
  /** the file, or the name of the history here */
  readonly from: string;
  readonly isRecorded: boolean;
}

/** Reads a run from its recording, or from the history with the events that its report implies. */
async function runOf(wanted: string, { history }: RecordedReportFlags, folder: RunFolder): Promise<KnownRun> {
  try {
    const file = findRun(wanted, folder);
    if (file.endsWith(".json")) return { from: file, isRecorded: false, ...runFrom(readReport(file)) };
    const events = readRun(file);
    return { from: file, isRecorded: true, events, report: foldRun(events) };
  } catch (error) {
    const report = error instanceof UsageError ? await reportInHistory(wanted, folder, history) : undefined;
    if (!report) throw error;
    return { from: "The history", isRecorded: false, ...runFrom(report) };
  }
}

/** Returns a report with the events that it implies. */
function runFrom(report: ConformanceReport): Run {
  const exchanges = (report.exchanges ?? []).map((each) => ({ event: "exchange", ...each }) as const);
  const results = resultsOf(report).map((result) => ({ event: "check-finished", result }) as const);
  return { events: [...exchanges, ...results], report };
}

/** Shows a run as it looked when it ended. */
function show({ events, report }: Run, isRecorded: boolean, screen: Screen): void {
  if (couldNotBegin(report)) {
    tellNoRun(report, screen);
    return;
  }
  // A recording starts with facts about the agent and its discovery, which a report does not contain.
  if (!isRecorded)
    screen.line(`${report.run}  ${escapeText(`${report.agentName} ${report.agentVersion}  ${report.agentUrl}`)}`);
  if (!screen.isTerminal) {
    const view = createPlainView(screen);
    for (const event of events) view.take(event);
    for (const line of plainEnding(report)) screen.line(line);
    return;
  }
  const progress = new Progress();
  for (const event of events) progress.take(event);
  const { columns } = screen.size();
  const lines = [...headerOf(progress, screen.colors), "", ...summaryOf(report, { columns, colors: screen.colors })];
  for (const line of lines) screen.line(line);
}

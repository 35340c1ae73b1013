import type { Run } from "@assay/reporters";
import { foldRun, Progress } from "@assay/suite/report";
import type { RecordedReportFlags } from "../commands/report.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { findRun, readRun } from "../recorded/read-run.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { takesOutput, targetsOf, writeReports } from "../report-targets.ts";
import { tellNoRun } from "../terminal/closing.ts";
import { headerOf } from "../terminal/header.ts";
import { createPlainView, plainEnding } from "../terminal/plain.ts";
import type { Screen } from "../terminal/screen.ts";
import { summaryOf } from "../terminal/summary.ts";
import { showProcedure } from "../testing/procedure.ts";
import { complainAbout, couldNotBegin } from "../testing/tell.ts";

/** The whole command: read a run, whole or cut off, and tell it again. */
export async function makeReports(
  wanted: string,
  flags: RecordedReportFlags,
  screen: Screen,
  folder = new RunFolder(),
): Promise<ExitCode> {
  const { reporters: usual, procedureReporters, procedureOf } = await import("@assay/reporters");
  const targets = targetsOf(flags.report ?? [], flags.procedure ? procedureReporters : usual);
  const reporters = flags.procedure ? { ...usual, ...procedureReporters } : usual;
  const file = findRun(wanted, folder);
  const events = readRun(file);
  const run = { events, report: foldRun(events) };
  if (!targets.length) {
    if (flags.procedure) showProcedure(procedureOf(run), screen);
    else show(run, screen);
    return exitCodes.fine;
  }
  if (run.report.ending === "cut-off") screen.complain(`${file} was cut off: the report holds what was found by then.`);
  const unwritten = writeReports(targets, reporters, run, {
    output: screen,
    log: targets.some(takesOutput) ? screen.aside() : screen,
    stepSummary: process.env["GITHUB_STEP_SUMMARY"],
  });
  complainAbout(unwritten, file, screen);
  for (const { format, file: written } of targets) {
    if (written !== undefined && !unwritten.some((lost) => lost.file === written))
      screen.complain(`${format} written to ${written}`);
  }
  return unwritten.length ? exitCodes.ours : exitCodes.fine;
}

/** As it looked when it was made. */
function show({ events, report }: Run, screen: Screen): void {
  if (couldNotBegin(report)) {
    tellNoRun(report, screen);
    return;
  }
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

import type { BaselineOutcome, Settings } from "@assay/library/config";
import { annotation, type Run } from "@assay/reporters";
import { type ConformanceReport, compareReports, exitCodeOf, type Gates, shutGates } from "@assay/suite/report";
import type { Unwritten } from "../report-targets.ts";
import { closingLines, tellNoRun } from "../terminal/closing.ts";
import { escapeText } from "../terminal/escape.ts";
import { plainEnding } from "../terminal/plain.ts";
import type { Screen } from "../terminal/screen.ts";
import { summaryOf } from "../terminal/summary.ts";
import type { TestInvocation } from "./invocation.ts";
import { baselineLines } from "./known-failures.ts";
import { sinceLastRun, sinceLines } from "./since-last-run.ts";

/** Prints the results for a terminal or a log. */
export function tell(
  { people, flags, settings, targets }: TestInvocation,
  { report }: Run,
  outcome: BaselineOutcome,
  before: ConformanceReport | undefined,
): void {
  if (couldNotBegin(report)) tellNoRun(report, people);
  if (couldNotBegin(report) || flags.json) return;
  const lines = baselineLines(outcome, settings.baselineFile ?? "the baseline");
  const wanted = gatesOf(settings, outcome, report, before);
  const shut = shutGates(report, wanted);
  // Without the exit code, readers of a log take a run with known failures only for a success.
  const exit = exitCodeOf(report) === 0 ? `   exit ${exitCodeOf(report, wanted)}` : "";
  const gates = [...shut.map((gate) => `gate: ${escapeText(gate)}${exit}`), ...acceptedBy(report, wanted)];
  if (targets.some(({ format }) => format === "github"))
    for (const gate of shut) people.commands(`${annotation("error", "A2A: gate", gate)}\n`);
  const since = before && sinceLines(sinceLastRun(before, report));
  if (people.isTerminal) {
    const summary = summaryOf(report, { columns: people.size().columns, colors: people.colors });
    for (const line of summary) people.line(line);
    for (const part of [lines, since ?? [], gates]) {
      if (part.length) people.line();
      for (const line of part) people.line(line);
    }
    return;
  }
  for (const line of [...lines, ...(since ?? []), ...plainEnding(report), ...gates]) people.line(line);
}

/** Says why a run that is not conformant exits with 0. */
function acceptedBy(report: ConformanceReport, gates: Gates): string[] {
  if (exitCodeOf(report) !== 1 || exitCodeOf(report, gates) !== 0) return [];
  return [`gate passed: --fail-on ${gates.failOn}${gates.failOn === "new" ? ": no new failures" : ""}`];
}

/** Returns true if the run could examine nothing, so that a summary makes no sense. */
export const couldNotBegin = ({ ending, summary }: ConformanceReport): boolean =>
  summary.applicable === 0 && ending !== "done" && ending !== "interrupted" && ending !== "cut-off";

/** Returns the gates of the operator, with the results of the baseline and of the earlier run. */
export const gatesOf = (
  { gates }: Settings,
  { fixed }: BaselineOutcome,
  report: ConformanceReport,
  before: ConformanceReport | undefined,
): Gates => ({
  ...gates,
  newFailures: gates.failOn === "new" && before ? compareReports(before, report).newFailures : undefined,
  staleBaseline: fixed.length > 0,
});

export function tellClosing(
  { people, settings }: TestInvocation,
  report: ConformanceReport,
  files: readonly string[],
  isRecorded: boolean,
): void {
  if (couldNotBegin(report)) return;
  if (!people.isTerminal) {
    if (files.length) people.line(`report: ${files.join(", ")}`);
    return;
  }
  const lines = closingLines(report, {
    url: settings.url,
    hasConfig: settings.config !== undefined,
    files,
    isRecorded,
  });
  if (lines.length) people.line();
  for (const line of lines) people.line(line);
}

export function complainAbout(unwritten: readonly Unwritten[], record: string | undefined, people: Screen): void {
  for (const { file, because, format } of unwritten) {
    const kept = record === undefined ? "" : ` The run is saved in ${record}`;
    people.complain(`assay: cannot write the report to ${file} (${because}).${kept}`);
    if (record !== undefined) people.complain(`Write it again: assay report last --report ${format}=<other file>`);
  }
}

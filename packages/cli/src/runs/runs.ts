import { type ConformanceReport, foldRun, outcomeWord } from "@assay/suite/report";
import type { RunsFlags } from "../commands/runs.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { readRun } from "../recorded/read-run.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

interface KeptRun {
  readonly name: string;
  readonly file: string;
  /** absent for one that cannot be read */
  readonly report?: ConformanceReport;
  readonly trouble?: string;
}

/** The whole command: every run that is kept, on a line each. One that cannot be read is listed too, with the reason. */
export function listRuns(flags: RunsFlags, screen: Screen, folder = new RunFolder()): ExitCode {
  const runs = folder
    .list()
    .toReversed()
    .map((name) => readKept(name, folder.eventsOf(name)));
  if (flags.json) {
    screen.json(runs.map(factsOf), 2);
    return exitCodes.fine;
  }
  if (!runs.length) screen.line(`There are no runs in ${folder.path}. assay test <url> makes one.`);
  for (const [index, { name, report, trouble }] of runs.entries()) {
    const alias = index === 0 ? "last" : `last~${index}`;
    if (!report) {
      screen.line(`${name.padEnd(22)} ${alias.padEnd(8)} cannot be read: ${escapeText(trouble ?? "")}`);
      continue;
    }
    const { summary, agentUrl, agentName, conformanceLevel } = report;
    const verdict = `${outcomeWord(report)}${conformanceLevel ? ` (${conformanceLevel})` : ""}`;
    screen.line(
      `${name.padEnd(22)} ${alias.padEnd(8)} ${verdict.padEnd(28)} ${String(summary.failed).padStart(3)} failed  ` +
        `${String(summary.warnings).padStart(3)} warnings  examined ${summary.examined} of ${summary.applicable}  ` +
        `${brief(agentName || "?", 30)}  ${escapeText(agentUrl)}`,
    );
  }
  return exitCodes.fine;
}

function readKept(name: string, file: string): KeptRun {
  try {
    return { name, file, report: foldRun(readRun(file)) };
  } catch (error) {
    if (error instanceof UsageError) return { name, file, trouble: error.message };
    throw error;
  }
}

const factsOf = ({ name, file, report, trouble }: KeptRun) => ({
  run: name,
  file,
  ...(report && {
    agentUrl: report.agentUrl,
    agentName: report.agentName,
    agentVersion: report.agentVersion,
    testDate: report.testDate,
    ending: report.ending,
    outcome: report.outcome,
    conformanceLevel: report.conformanceLevel,
    summary: report.summary,
  }),
  ...(trouble !== undefined && { trouble }),
});

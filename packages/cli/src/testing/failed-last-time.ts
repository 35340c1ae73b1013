import { type ConformanceReport, foldRun, resultsOf } from "@assay/suite/report";
import { UsageError } from "../exit.ts";
import { readableRun } from "../recorded/read-run.ts";
import type { RunFolder } from "../recorded/run-folder.ts";

/** The rules that failed or were blocked by a failure in the last complete run of this agent. */
export function failedLastTime(url: string, folder: RunFolder): string[] {
  const report = lastOf(url, folder);
  if (!report)
    throw new UsageError(
      `--failed: no earlier run of ${url} in ${folder.path}`,
      "Run the test once without --failed first.",
    );
  const broken = resultsOf(report).filter(({ verdict }) => verdict === "fail" || verdict === "blocked");
  return [...new Set(broken.map(({ test }) => test))];
}

function lastOf(url: string, folder: RunFolder): ConformanceReport | undefined {
  for (const name of folder.list().toReversed()) {
    const events = readableRun(folder.eventsOf(name));
    const report = events && foldRun(events);
    // Of a run that could not begin nothing is known.
    if (report?.agentUrl === url && resultsOf(report).length > 0) return report;
  }
  return undefined;
}

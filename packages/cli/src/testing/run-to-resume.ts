import { findRun, type RunFolder, readableRun, readRun } from "@assay/library/runs";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";

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

/** The report of the last run of this agent that examined something. */
export function lastOf(url: string, folder: RunFolder): ConformanceReport | undefined {
  for (const name of folder.list().toReversed()) {
    const events = readableRun(folder.eventsOf(name));
    const report = events && foldRun(events);
    // Of a run that could not begin nothing is known.
    if (report?.agentUrl === url && resultsOf(report).length > 0) return report;
  }
  return undefined;
}

/** How a run ends that had more to examine. */
const cutShort: ReadonlySet<string> = new Set(["cut-off", "interrupted", "time-over", "agent-gone"]);

const addressFirst = "Put the address first: assay test <url> --resume";

/** The events of the run that is to go on: the one that is named, else the last one of this agent that was cut short. */
export function runToResume(wanted: string | true, url: string, folder: RunFolder): readonly RunEvent[] {
  if (wanted !== true) {
    if (wanted.includes("://"))
      throw new UsageError(`--resume ${escapeText(wanted)}: this is an address, not a run`, addressFirst);
    const events = readRun(findRun(wanted, folder));
    const { ending } = foldRun(events);
    if (cutShort.has(ending)) return events;
    throw new UsageError(
      `--resume ${escapeText(wanted)}: this run is complete (${ending}), so there is nothing to resume`,
      "Run assay runs to list the runs, or assay test --failed to test the failures again.",
    );
  }
  for (const name of folder.list().toReversed()) {
    const events = readableRun(folder.eventsOf(name));
    const report = events && foldRun(events);
    if (report?.agentUrl === url && cutShort.has(report.ending) && resultsOf(report).length > 0) return events!;
  }
  throw new UsageError(
    `--resume: no interrupted run of ${escapeText(url)} in ${folder.path}`,
    "Run assay runs to list the runs, then name one: --resume <run>",
  );
}

/** The address of the run that is meant, for a call that names no other. */
export function addressOfRun(wanted: string | true, folder: RunFolder): string | undefined {
  if (wanted !== true && wanted.includes("://")) return wanted;
  const name = folder.list().at(-1);
  const file = wanted === true ? name && folder.eventsOf(name) : findRun(wanted, folder);
  const [started] = (file && readableRun(file)) || [];
  const url = started?.event === "run-started" ? started.agentUrl : undefined;
  // A secret in the address is given again.
  return url?.includes("«secret:") ? undefined : url;
}

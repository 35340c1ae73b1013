import { findRun, type RunFolder, readableRun, readRun } from "@assay/library/runs";
import { type ConformanceReport, foldRun, lastKnown, type RunEvent, resultsOf } from "@assay/suite/report";
import { UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";

/** Returns the rules that failed or were blocked by a failure in this agent's last run with results. */
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

/** Returns everything that the earlier runs of this agent found. */
export const knownOf = (url: string, folder: RunFolder): ConformanceReport | undefined =>
  lastKnown([...runsOf(url, folder)]);

/** Returns the report of this agent's last run with results. */
const lastOf = (url: string, folder: RunFolder): ConformanceReport | undefined => runsOf(url, folder).next().value;

/** Yields the reports of this agent's runs with results, newest first. */
function* runsOf(url: string, folder: RunFolder): Generator<ConformanceReport, undefined> {
  for (const name of folder.list().toReversed()) {
    const events = readableRun(folder.eventsOf(name));
    const report = events && foldRun(events);
    // A run that could not start has no results.
    if (report?.agentUrl === url && resultsOf(report).length > 0) yield report;
  }
}

/** The endings of runs that did not examine everything. */
const cutShort: ReadonlySet<string> = new Set(["cut-off", "interrupted", "time-over", "agent-gone"]);

const addressFirst = "Put the address first: assay test <url> --resume";

/** Returns the events of the run to resume: the named one, or the agent's last run that was interrupted. */
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

/** Returns the agent's address from the run to resume, for a call without an address. */
export function addressOfRun(wanted: string | true, folder: RunFolder): string | undefined {
  if (wanted !== true && wanted.includes("://")) return wanted;
  const name = folder.list().at(-1);
  const file = wanted === true ? name && folder.eventsOf(name) : findRun(wanted, folder);
  const [started] = (file && readableRun(file)) || [];
  const url = started?.event === "run-started" ? started.agentUrl : undefined;
  // A masked secret in the address is unusable, so the user has to pass the address again.
  return url?.includes("«secret:") ? undefined : url;
}

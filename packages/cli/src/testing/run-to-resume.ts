import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { UsageError } from "../exit.ts";
import { findRun, readableRun, readRun } from "../recorded/read-run.ts";
import type { RunFolder } from "../recorded/run-folder.ts";
import { escapeText } from "../terminal/escape.ts";

/** How a run ends that had more to examine. */
const cutShort: ReadonlySet<string> = new Set(["cut-off", "interrupted", "time-over", "agent-gone"]);

const addressFirst = "Write the address before it: assay test <url> --resume";

/** The events of the run that is to go on: the one that is named, else the last one of this agent that was cut short. */
export function runToResume(wanted: string | true, url: string, folder: RunFolder): readonly RunEvent[] {
  if (wanted !== true) {
    if (wanted.includes("://"))
      throw new UsageError(`--resume ${escapeText(wanted)}: that is an address, and no run`, addressFirst);
    const events = readRun(findRun(wanted, folder));
    const { ending } = foldRun(events);
    if (cutShort.has(ending)) return events;
    throw new UsageError(
      `--resume ${escapeText(wanted)}: that run came to its end (${ending}), so nothing is left of it`,
      "assay runs lists the runs that are kept; assay test --failed tests what failed.",
    );
  }
  for (const name of folder.list().toReversed()) {
    const events = readableRun(folder.eventsOf(name));
    const report = events && foldRun(events);
    if (report?.agentUrl === url && cutShort.has(report.ending) && resultsOf(report).length > 0) return events!;
  }
  throw new UsageError(
    `--resume: there is no run of ${escapeText(url)} in ${folder.path} that was cut off or interrupted`,
    "assay runs lists the runs that are kept; name one: --resume <run>",
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

import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import type { History } from "./history.ts";

/** Where runs are recorded. */
export interface RunRecordings {
  /** their names */
  list(): readonly string[];
  /** how long a recording is, in bytes */
  size(run: string): number;
  /** the events of a run; undefined where they cannot be read */
  read(run: string): readonly RunEvent[] | undefined;
}

/**
 * Takes in what the history does not know yet: runs that are new, and those that have grown since. One that was cut off is read
 * as such, with all it had; where it goes on after all, it is read again.
 */
export async function fillHistory(history: History, recordings: RunRecordings): Promise<void> {
  const known = await history.sizes();
  for (const run of recordings.list()) {
    const size = recordings.size(run);
    if (known.get(run) === size) continue;
    const report = reportOf(recordings.read(run));
    // A recording that was given another name is known by that one.
    if (report) await history.add({ ...report, run }, size);
  }
}

/** A file may be damaged or made by hand. If its events give no report, it is not a run. */
function reportOf(events: readonly RunEvent[] | undefined): ConformanceReport | undefined {
  try {
    return events && foldRun(events);
  } catch {
    return undefined;
  }
}

import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import type { History } from "./history.ts";

/** The recordings of runs. */
export interface RunRecordings {
  /** their names */
  list(): readonly string[];
  /** the size of a recording in bytes */
  size(run: string): number;
  /** the events of a run; undefined if they cannot be read */
  read(run: string): readonly RunEvent[] | undefined;
}

/**
 * Adds the runs that the history does not have yet, and those that have grown since. A run that was cut off is added
 * with what it has, and read again if it continues.
 */
export async function fillHistory(history: History, recordings: RunRecordings): Promise<void> {
  const known = await history.sizes();
  for (const run of recordings.list()) {
    const size = recordings.size(run);
    if (known.get(run) === size) continue;
    const report = reportOf(recordings.read(run));
    // A renamed recording counts under its new name.
    if (report) await history.add({ ...report, run }, size);
  }
}

/** Returns the report of a run; undefined if its events give none, because a file may be damaged or made by hand. */
function reportOf(events: readonly RunEvent[] | undefined): ConformanceReport | undefined {
  try {
    return events && foldRun(events);
  } catch {
    return undefined;
  }
}

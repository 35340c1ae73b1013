import { basename } from "node:path";
import { openRecord, type RunFolder, recordedEvents } from "@assay/library/runs";
import type { RunEvent } from "@assay/suite/report";
import { ApiError, type StartedRun } from "@assay/web";
import { rethrown } from "./rethrown.ts";

/** Starts a run for the page, recorded like a run of the command line. */
export function startedRun(folder: RunFolder, test: (run: string) => AsyncIterable<RunEvent>): StartedRun {
  const record = openRecord(folder, (because) => {
    throw new ApiError(500, `Cannot record the run: ${because}.`, "Start assay ui in a writable folder.");
  });
  const run = basename(record.file, ".ndjson");
  return { run, events: withApiErrors(recordedEvents(test(run), record, folder)) };
}

/** Converts errors of a run to errors of the API. */
async function* withApiErrors(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  try {
    yield* events;
  } catch (error) {
    rethrown(error);
  }
}

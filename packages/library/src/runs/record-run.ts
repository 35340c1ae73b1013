import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { UsageError } from "@assay/protocol/assay-error";
import { jsonText } from "@assay/protocol/escape";
import type { RunEvent } from "@assay/suite/report";
import { reasonOf } from "./file-trouble.ts";
import { keptRuns, type RunFolder } from "./run-folder.ts";

/** The recording of a run. It writes each event at once, so that the file is readable even after a crash. */
export interface RunRecord {
  readonly file: string;
  /** the reason why writing stopped; the run continues without a recording */
  readonly trouble: string | undefined;
  add(event: RunEvent): void;
  close(): void;
}

/** Starts the recording of a run. If the folder is not writable, `refused` gets the reason and decides what follows. */
export function openRecord<T>(folder: RunFolder, refused: (because: string) => T): RunRecord | T {
  try {
    folder.prepare();
    return recordRun(folder.eventsOf(folder.nameAt(new Date())));
  } catch (error) {
    return refused(`cannot write to ${folder.path} (${reasonOf(error as NodeJS.ErrnoException)})`);
  }
}

/** Starts the recording for `--record`, which fails if the folder is not writable. */
export const openWantedRecord = (folder: RunFolder): RunRecord =>
  openRecord(folder, (because) => {
    throw new UsageError(`--record: ${because}`);
  });

/** Creates a file that only its owner can read. Throws if the file cannot be created. */
export function recordRun(file: string): RunRecord {
  const handle = openSync(file, "wx", 0o600);
  let trouble: string | undefined;
  let isOpen = true;
  return {
    file,
    get trouble() {
      return trouble;
    },
    add(event) {
      if (trouble !== undefined || !isOpen) return;
      try {
        const line = Buffer.from(`${jsonText(event)}\n`);
        // A write may be incomplete, and half a line would corrupt the next one.
        for (let at = 0; at < line.length; ) at += writeSync(handle, line, at);
      } catch (error) {
        trouble = (error as Error).message;
      }
    },
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

/** Records events as they pass. A run without results is not saved, as on the command line. */
export async function* recordedEvents(
  events: AsyncIterable<RunEvent>,
  record: RunRecord,
  folder: RunFolder,
): AsyncGenerator<RunEvent> {
  let hasResults = false;
  try {
    for await (const event of events) {
      record.add(event);
      if (event.event === "check-finished") hasResults = true;
      yield event;
    }
  } finally {
    record.close();
    if (hasResults) folder.prune(keptRuns);
    else rmSync(record.file, { force: true });
  }
}

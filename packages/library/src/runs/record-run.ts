import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { UsageError } from "@assay/protocol/assay-error";
import { jsonText } from "@assay/protocol/escape";
import type { RunEvent } from "@assay/suite/report";
import { reasonOf } from "./file-trouble.ts";
import { keptRuns, type RunFolder } from "./run-folder.ts";

/** A run being written down, event by event, each as soon as it happens: what a crash leaves behind can be read. */
export interface RunRecord {
  readonly file: string;
  /** why writing stopped, if it did; the run goes on without */
  readonly trouble: string | undefined;
  add(event: RunEvent): void;
  close(): void;
}

/**
 * Starts the recording of a run that begins now. Where the folder cannot be written, the caller decides what follows:
 * `refused` gets the reason.
 */
export function openRecord<T>(folder: RunFolder, refused: (because: string) => T): RunRecord | T {
  try {
    folder.prepare();
    return recordRun(folder.eventsOf(folder.nameAt(new Date())));
  } catch (error) {
    return refused(`cannot write to ${folder.path} (${reasonOf(error as NodeJS.ErrnoException)})`);
  }
}

/** The same for `--record`, without which the command makes no sense. */
export const openWantedRecord = (folder: RunFolder): RunRecord =>
  openRecord(folder, (because) => {
    throw new UsageError(`--record: ${because}`);
  });

/** Opens a file of its own, readable for its owner alone; throws when it cannot be had. */
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
        // A write may be shorter than asked for; half a line would spoil the next one.
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

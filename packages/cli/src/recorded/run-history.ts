import { existsSync } from "node:fs";
import type { History } from "@assay/history";
import { type RunFolder, readableRun } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import type { ConformanceReport } from "@assay/suite/report";
import { blaming } from "../exit.ts";

/**
 * The history that the user names, or the one beside the recordings, with all of them in it. Absent where none was asked for and
 * none can be had: there are no recordings, or nothing that reads SQLite.
 */
export async function openRunHistory(folder: RunFolder, given?: string): Promise<History | undefined> {
  if (given === undefined && !existsSync(folder.path)) return undefined;
  const history = given === undefined ? await besideRecordings(folder) : await openGiven(given);
  if (!history) return undefined;
  const { fillHistory } = await import("@assay/history");
  await fillHistory(history, {
    list: () => folder.list(),
    size: (run) => folder.sizeOf(run),
    read: (run) => readableRun(folder.eventsOf(run)),
  });
  return history;
}

/** Opens the default history; returns undefined if it is unavailable. */
async function besideRecordings(folder: RunFolder): Promise<History | undefined> {
  const { openHistory } = await import("@assay/history");
  return openHistory(`sqlite:${folder.history}`).catch(() => undefined);
}

async function openGiven(given: string): Promise<History> {
  const { openHistory } = await import("@assay/history");
  // Read like a secret, because it may hold one.
  const address = readSecret("--history", given, () => {});
  return openHistory(address).catch(blaming("--history"));
}

/** The report of a run that is not recorded here, from the history: one of a fleet, or one whose recording is gone. */
export async function reportInHistory(
  run: string,
  folder: RunFolder,
  given?: string,
): Promise<ConformanceReport | undefined> {
  const history = await openRunHistory(folder, given);
  try {
    return await history?.report(run);
  } finally {
    await history?.close();
  }
}

/** The history takes in what is there; of recordings that are let go, it is what stays. */
export async function keepInHistory(folder: RunFolder): Promise<void> {
  const history = await openRunHistory(folder);
  await history?.close();
}

/** Throws what the user has to hear where this history cannot be had. */
export async function checkHistory(given: string): Promise<void> {
  const history = await openGiven(given);
  await history.close();
}

/** Takes one run into a history that the user names. */
export async function takeIn(report: ConformanceReport, given: string): Promise<void> {
  const history = await openGiven(given);
  await history.add(report);
  await history.close();
}

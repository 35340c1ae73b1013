import { existsSync } from "node:fs";
import type { History } from "@assay/history";
import { type RunFolder, readableRun } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import type { ConformanceReport } from "@assay/suite/report";
import { blaming } from "../exit.ts";

/**
 * Opens the history that the user names, or the default one, and adds all recordings to it. Returns undefined if the
 * default history is unavailable: there are no recordings, or no SQLite.
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
  // The address may contain a password, so it is read like a secret.
  const address = readSecret("--history", given, () => {});
  return openHistory(address).catch(blaming("--history"));
}

/** Returns the report of a run from the history: a run of a fleet, or one whose recording is gone. */
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

/** Adds all recordings to the default history, so that it still has their results after they are deleted. */
export async function keepInHistory(folder: RunFolder): Promise<void> {
  const history = await openRunHistory(folder);
  await history?.close();
}

/** Throws a usage error if the history cannot be opened. */
export async function checkHistory(given: string): Promise<void> {
  const history = await openGiven(given);
  await history.close();
}

/** Adds one run to a history that the user names. */
export async function takeIn(report: ConformanceReport, given: string): Promise<void> {
  const history = await openGiven(given);
  await history.add(report);
  await history.close();
}

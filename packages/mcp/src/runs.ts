import { findRun, type RunFolder, readReport } from "@assay/library/runs";
import type { ConformanceReport } from "@assay/suite/report";
import { z } from "zod";
import { ArgumentError, readingArguments } from "./argument-error.ts";

/** A run in the folder of the server. It is never a path: tools read no other files. */
export const runName = z
  .string()
  .regex(/^(last(~\d{1,4})?|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d{1,6})?)$/, "a name of a run, last, or last~1");

export async function runFile(run: string, folder: RunFolder): Promise<string> {
  if (!folder.list().length) throw new ArgumentError("There are no runs yet.", "Call test_agent first.");
  return readingArguments(() => findRun(run, folder));
}

/** Reads the report of a run. The error for a damaged recording must not quote it. */
export function reportIn(file: string): ConformanceReport {
  try {
    return readReport(file);
  } catch {
    throw new ArgumentError("Cannot read the recording of this run.", "Test the agent again.");
  }
}

import { writeFileSync } from "node:fs";
import type { Settings } from "@assay/library/config";
import { type BaselineOutcome, baselineText, entryName, updatedBaseline, usualBaseline } from "@assay/library/config";
import type { ConformanceReport } from "@assay/suite/report";
import { plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";

/** Returns one line for each baseline entry that needs attention. */
export function baselineLines({ fixed, expired, unknown, unmatched }: BaselineOutcome, file: string): string[] {
  const line = (word: string, says: string) => (entry: Parameters<typeof entryName>[0]) =>
    `${word} ${escapeText(entryName(entry))} ${says}`;
  return [
    ...fixed.map(
      line("FIXED", `passes now. Remove it from ${file} (--baseline-update does); until then the run fails`),
    ),
    ...expired.map(line("EXPIRED", `has expired in ${file}, and counts again`)),
    ...unknown.map(line("UNKNOWN", `was not examined everywhere in this run, so it stays in ${file}`)),
    ...unmatched.map(line("UNMATCHED", `is in ${file}, but no check of this run matches it`)),
  ];
}

/** Saves the failures of a run as known failures, and returns a message about it. */
export function updateBaseline(report: ConformanceReport, settings: Settings): string {
  const file = settings.baselineFile ?? usualBaseline;
  const entries = updatedBaseline(report, settings.baseline);
  writeFileSync(file, baselineText(entries));
  const reasons = entries.length ? " Add a reason to each." : "";
  return `${file} now lists ${plural(entries.length, "known failure")}.${reasons} Use the file with: assay test --baseline ${file}`;
}

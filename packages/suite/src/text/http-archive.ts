import { jsonText } from "@assay/protocol/escape";
import type { ConformanceReport, ExchangeRecorded } from "../report/index.ts";

/** Returns exchanges as an HTTP archive 1.2. They were masked when they were recorded. */
export function httpArchive(
  exchanges: readonly ExchangeRecorded[],
  creator: ConformanceReport["tool"] & { readonly comment?: string },
): string {
  const entries = exchanges
    .map(({ entry }) => entry)
    // Recorded in the order of their ends; readers of an archive expect the order of their starts.
    .toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  return `${jsonText({ log: { version: "1.2", creator, entries } }, 2)}\n`;
}

import { jsonText } from "@assay/protocol/escape";
import type { ConformanceReport, ExchangeRecorded } from "../report/index.ts";

/** Exchanges as an HTTP archive 1.2, for the tools that read one. They were masked when they were recorded. */
export function httpArchive(exchanges: readonly ExchangeRecorded[], creator: ConformanceReport["tool"]): string {
  const entries = exchanges
    .map(({ entry }) => entry)
    // Recorded as they ended; readers of an archive expect them as they began.
    .toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  return `${jsonText({ log: { version: "1.2", creator, entries } }, 2)}\n`;
}

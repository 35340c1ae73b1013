import type { ExchangeRecorded } from "@assay/suite/report";
import { jsonText } from "./escape.ts";
import type { Run } from "./run.ts";

/** All traffic as an HTTP archive 1.2, for the tools that read one. It was masked when it was recorded. */
export function har({ events, report }: Run): string {
  const entries = events
    .filter((event): event is ExchangeRecorded => event.event === "exchange")
    .map(({ entry }) => entry)
    // Recorded as they ended; readers of an archive expect them as they began.
    .toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  return `${jsonText({ log: { version: "1.2", creator: report.tool, entries } }, 2)}\n`;
}

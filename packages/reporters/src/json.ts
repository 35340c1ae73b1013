import { type ExchangeRecorded, resultsOf } from "@assay/suite/report";
import { jsonText } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** The report itself; `packages/suite/schemas/report.json` describes it. */
export const json = ({ report }: Run): string => `${jsonText(report, 2)}\n`;

/** The same with the exchanges that prove its failures, for those who have the report and nothing else. */
export function jsonWithEvidence({ events, report }: Run): string {
  const proof = new Set(
    resultsOf(report)
      .filter(({ verdict }) => verdict === "fail")
      .flatMap(({ evidence }) => evidence),
  );
  const exchanges = events
    .filter((event): event is ExchangeRecorded => event.event === "exchange" && proof.has(event.id))
    .map(({ event: _, ...exchange }) => exchange);
  return `${jsonText({ ...report, exchanges }, 2)}\n`;
}

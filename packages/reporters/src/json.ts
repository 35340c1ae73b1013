import { type ExchangeRecorded, resultsOf } from "@assay/suite/report";
import { jsonText } from "@assay/suite/text";
import { withForecast } from "./forecast.ts";
import type { Run } from "./run.ts";

/** Renders the report itself; `packages/suite/schemas/report.json` describes it. */
export const json = (run: Run): string => `${jsonText(withForecast(run), 2)}\n`;

/** Renders the report with the exchanges that prove its failures, for readers who do not have the recording. */
export function jsonWithEvidence(run: Run): string {
  const { events, report } = run;
  const proof = new Set(
    resultsOf(report)
      .filter(({ verdict }) => verdict === "fail")
      .flatMap(({ evidence }) => evidence),
  );
  const exchanges = events
    .filter((event): event is ExchangeRecorded => event.event === "exchange" && proof.has(event.id))
    .map(({ event: _, ...exchange }) => exchange);
  return `${jsonText({ ...withForecast(run), exchanges }, 2)}\n`;
}

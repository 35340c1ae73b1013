import type { ExchangeRecorded } from "@assay/suite/report";
import { httpArchive } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** Renders all traffic as an HTTP archive. */
export const har = ({ events, report }: Run): string =>
  httpArchive(
    events.filter((event): event is ExchangeRecorded => event.event === "exchange"),
    { ...report.tool, comment: `rules ${report.ruleSet}` },
  );

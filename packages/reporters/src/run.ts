import type { ConformanceReport, RunEvent } from "@assay/suite/report";

/** What a report is made from: what happened, and what it comes to (`foldRun` of the events). */
export interface Run {
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
}

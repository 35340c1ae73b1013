import type { ConformanceReport, RunEvent } from "@assay/suite/report";

/** Source of every report: the events of a run and its result (`foldRun` of the events). */
export interface Run {
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
}

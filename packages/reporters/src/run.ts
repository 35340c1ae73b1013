import type { ConformanceReport, RunEvent } from "@assay/suite/report";

/** The input of a reporter: the events of a run and the report that `foldRun` makes of them. */
export interface Run {
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
}

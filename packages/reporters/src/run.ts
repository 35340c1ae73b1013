import type { ConformanceReport, RunEvent } from "@assay/suite/report";

/** Source of every report: the events of a run and its result (`foldRun` of the events). */
export interface Run {
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
  /** its name among several agents, in class names, categories, fingerprints and annotations */
  readonly agent?: string;
}

export { drawnBadge } from "./badge.ts";
export { comparisonMarkdown } from "./comparison.ts";
export { loadMergers, loadReporters, type Reporters, type ReportFormat } from "./formats.ts";
export {
  type GateLine,
  type GateReport,
  gateAnnotations,
  gateJson,
  gateMarkdown,
  gateSarif,
  statusWords,
} from "./gate.ts";
export { annotation } from "./github.ts";
export { procedureHeadline, procedureReporters } from "./procedure/formats.ts";
export { type Procedure, procedureExitCode, procedureOf } from "./procedure/procedure-report.ts";
export { procedureRules } from "./procedure/steps.ts";
export type { Run } from "./run.ts";

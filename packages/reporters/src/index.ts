import { badge } from "./badge.ts";
import { github } from "./github.ts";
import { har } from "./har.ts";
import { html } from "./html.ts";
import { json, jsonWithEvidence } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import type { Run } from "./run.ts";
import { sarif } from "./sarif.ts";
import { schedule } from "./schedule.ts";

/** Every format a run can be told in, by the name that `--report` knows. */
export const reporters = {
  json,
  "json+evidence": jsonWithEvidence,
  ndjson,
  markdown,
  junit,
  har,
  html,
  github,
  sarif,
  badge,
  schedule,
} satisfies Record<string, (run: Run) => string>;

export type ReportFormat = keyof typeof reporters;
export { comparisonMarkdown } from "./comparison.ts";
export { annotation } from "./github.ts";
export { procedureHeadline, procedureReporters } from "./procedure/formats.ts";
export { type Procedure, procedureExitCode, procedureOf } from "./procedure/procedure-report.ts";
export { procedureRules } from "./procedure/steps.ts";
export type { Run } from "./run.ts";

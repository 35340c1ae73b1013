import { type ConformanceReport, failuresOf, unexaminedOf, warningsOf } from "@assay/suite/report";
import { reasons } from "@assay/suite/text";
import { untrusted } from "../untrusted.ts";
import { lineOf } from "./finding.ts";
import { summaryOf } from "./run-summary.ts";

/** The maximum length of a list. Longer lists give the number of missing rows. */
const most = 100;

/** Returns the whole run for the resource `assay://runs/{run}`: every finding, marked like the results of tools. */
export function runReport(report: ConformanceReport): object {
  const warnings = warningsOf(report);
  const { fix_first: _, ...summary } = summaryOf(report, 0);
  const failures = failuresOf(report);
  return {
    ...summary,
    tested: report.testDate,
    depth: report.depth,
    rule_set: report.ruleSet,
    failure_list: failures.slice(0, most).map((group, index) => lineOf(group, index + 1)),
    warning_list: warnings.slice(0, most).map((group) => lineOf(group)),
    rows_omitted: Math.max(0, failures.length - most) + Math.max(0, warnings.length - most),
    not_examined: unexaminedOf(report).map(({ reason, rules, enable }) => ({
      reason,
      means: reasons[reason],
      rules,
      // A flag may name a host of the card.
      ...(enable !== undefined && { enable: untrusted(enable) }),
    })),
    notes: report.notes.slice(0, most).map((note) => untrusted(note)),
  };
}

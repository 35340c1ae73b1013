import { type ConformanceReport, type ConformanceResult, resultsOf } from "@assay/suite/report";

/** The failures that count: contested ones do not, nor those in versions that the agent does not claim. */
export function countedFailures(report: ConformanceReport): ConformanceResult[] {
  const declared = report.dialects.filter((each) => each.declared);
  const counted = new Set((declared.length ? declared : report.dialects).map(({ dialect }) => dialect));
  return resultsOf(report).filter(
    ({ verdict, disputed, dialect }) => verdict === "fail" && !disputed && (counted.size === 0 || counted.has(dialect)),
  );
}

/** The rules that an agent breaks, by id; none where it is conformant. */
export const brokenRules = (report: ConformanceReport): string[] =>
  report.outcome === "not-conformant" ? [...new Set(countedFailures(report).map(({ test }) => test))].sort() : [];

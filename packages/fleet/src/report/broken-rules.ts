import { type ConformanceReport, type ConformanceResult, resultsOf } from "@assay/suite/report";

/** Returns the failures that count: neither contested ones, nor those in versions that the agent does not claim. */
export function countedFailures(report: ConformanceReport): ConformanceResult[] {
  const declared = report.dialects.filter((each) => each.declared);
  const counted = new Set((declared.length ? declared : report.dialects).map(({ dialect }) => dialect));
  return resultsOf(report).filter(
    ({ verdict, disputed, dialect }) => verdict === "fail" && !disputed && (counted.size === 0 || counted.has(dialect)),
  );
}

/** Returns the ids of the rules that an agent breaks. */
export const brokenRules = (report: ConformanceReport): string[] =>
  report.outcome === "not-conformant" ? [...new Set(countedFailures(report).map(({ test }) => test))].sort() : [];

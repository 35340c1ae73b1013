import { type ConformanceReport, compareReports, type RuleChange } from "@assay/suite/report";

/** The changes of an agent between two runs. */
export interface SinceLastRun {
  /** rules that failed before, and pass now in every place where they failed */
  readonly fixed: readonly string[];
  /** rules that fail now and passed before */
  readonly broken: readonly string[];
  /** rules that fail now and had no result before */
  readonly found: readonly string[];
}

export function sinceLastRun(before: ConformanceReport, after: ConformanceReport): SinceLastRun {
  const { changes } = compareReports(before, after);
  const rules = (...kinds: RuleChange["change"][]): Set<string> =>
    new Set(changes.filter(({ change }) => kinds.includes(change)).map(({ test }) => test));
  const without = (those: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
    [...those].filter((test) => !others.has(test));
  return {
    fixed: without(rules("fixed"), rules("broken", "found", "unknown", "still")),
    broken: without(rules("broken"), rules("still")),
    found: without(rules("found"), rules("still", "broken")),
  };
}

export function sinceLines({ fixed, broken, found }: SinceLastRun): string[] {
  if (!fixed.length && !broken.length && !found.length) return ["Since the last run: no change."];
  const parts = [
    ...(broken.length ? [`newly failing ${broken.join(", ")}`] : []),
    ...(found.length ? [`failing, but not examined before: ${found.join(", ")}`] : []),
    ...(fixed.length ? [`fixed ${fixed.join(", ")}`] : []),
  ];
  return [`Since the last run: ${parts.join("; ")}.`];
}

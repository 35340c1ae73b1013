import { type ConformanceReport, resultsOf } from "@assay/suite/report";

/** What became of an agent from one run to the next. */
export interface SinceLastRun {
  /** rules that failed and now pass everywhere they are examined */
  readonly fixed: readonly string[];
  /** rules that fail now and did not fail before */
  readonly broken: readonly string[];
}

export function sinceLastRun(before: ConformanceReport, after: ConformanceReport): SinceLastRun {
  const [failedBefore, failedNow] = [failing(before), failing(after)];
  const passes = new Set(
    resultsOf(after)
      .filter(({ status }) => status === "pass")
      .map(({ test }) => test),
  );
  return {
    fixed: [...failedBefore].filter((test) => !failedNow.has(test) && passes.has(test)),
    broken: [...failedNow].filter((test) => !failedBefore.has(test)),
  };
}

const failing = (report: ConformanceReport): Set<string> =>
  new Set(
    resultsOf(report)
      .filter(({ verdict }) => verdict === "fail")
      .map(({ test }) => test),
  );

export function sinceLines({ fixed, broken }: SinceLastRun): string[] {
  if (!fixed.length && !broken.length) return ["Since the last run: no change."];
  const parts = [
    ...(broken.length ? [`newly failing ${broken.join(", ")}`] : []),
    ...(fixed.length ? [`fixed ${fixed.join(", ")}`] : []),
  ];
  return [`Since the last run: ${parts.join("; ")}.`];
}

import { type ConformanceLevel, type ConformanceReport, conformanceLevels, resultsOf } from "./document.ts";
import { equivalenceOf, equivalenceText } from "./equivalence.ts";

export const failOnChoices = ["must", "should", "not-examined", "new", "never"] as const;
/**
 * Conditions that fail a run besides broken rules. `new` accepts failures that earlier runs had, and `never` accepts
 * all broken rules.
 */
export type FailOn = (typeof failOnChoices)[number];

export const requirableLevels = ["full", "partial", "minimal"] as const satisfies readonly ConformanceLevel[];

/** The requirements of the operator for a run, besides unbroken rules. */
export interface Gates {
  readonly failOn?: FailOn;
  /** the minimum level; a run without a level does not reach it */
  readonly requireLevel?: (typeof requirableLevels)[number];
  /** the minimum percentage of applicable rules that must be examined */
  readonly minExamined?: number;
  /** for `new`: failures that earlier runs did not have; absent if there were none */
  readonly newFailures?: number | undefined;
  /** all versions must be equivalent */
  readonly equivalent?: boolean;
  /** a baseline lists failures that no longer occur */
  readonly staleBaseline?: boolean;
}

export type RunExitCode = 0 | 1 | 2 | 3 | 130;

/**
 * Returns the exit code (DESIGN §7): 0 no examined rule is broken, 1 not conformant or a gate fails, 2 inconclusive, 3
 * internal error, 130 interrupted. Gates turn a 0 into a 1, or into a 2 if versions could not be compared. `--fail-on
 * never`, and `--fail-on new` without new failures, turn a 1 into a 0. Nothing else changes the code.
 */
export function exitCodeOf(report: ConformanceReport, gates: Gates = {}): RunExitCode {
  const judged = ungated(report);
  const isOld = gates.failOn === "new" && gates.newFailures === 0;
  const code = judged === 1 && isOld ? 0 : judged;
  if (gates.failOn === "never") return code === 1 ? 0 : code;
  if (code !== 0) return code;
  if (shutGates(report, { ...gates, equivalent: false }).length) return 1;
  return gates.equivalent ? equivalenceCodes[equivalenceOf(report)] : 0;
}

/** Versions that cannot be compared are neither equivalent nor different. */
const equivalenceCodes = { equivalent: 0, different: 1, unknown: 2 } as const;

function ungated(report: ConformanceReport): RunExitCode {
  const { ending, outcome, summary } = report;
  if (ending === "interrupted") return 130;
  // The run never recorded its end, or every check had an internal error.
  if (ending === "cut-off" || (ending === "done" && summary.examined === 0 && summary.errors > 0)) return 3;
  switch (outcome) {
    case "inconclusive":
      return 2;
    case "not-conformant":
      return isExpected(report) ? 0 : 1;
    case "conformant":
      return 0;
  }
}

/** Returns true if the baseline lists every failure that counts. */
export const isExpected = (report: ConformanceReport): boolean => {
  const failed = resultsOf(report).filter(({ verdict, disputed }) => verdict === "fail" && !disputed);
  return failed.length > 0 && failed.every(({ expected }) => expected !== undefined);
};

/** Returns the failed gates, each as a sentence. */
export function shutGates(report: ConformanceReport, gates: Gates): string[] {
  const { failOn = "must", requireLevel, minExamined, newFailures = 0, staleBaseline } = gates;
  const { summary, conformanceLevel } = report;
  const open = summary.applicable - summary.examined;
  const share = summary.applicable === 0 ? 0 : (100 * summary.examined) / summary.applicable;
  const warned = resultsOf(report).filter(
    ({ warning, level, disputed }) => warning !== undefined && level !== "MAY" && !disputed,
  ).length;
  return [
    ...(staleBaseline ? ["the baseline lists failures that no longer occur"] : []),
    ...(failOn === "should" && warned ? [`--fail-on should: ${warned} ${warned === 1 ? "warning" : "warnings"}`] : []),
    ...(failOn === "new" && newFailures
      ? [`--fail-on new: ${newFailures} new ${newFailures === 1 ? "failure" : "failures"}`]
      : []),
    ...(failOn === "not-examined" && open
      ? [
          `--fail-on not-examined: ${open} of the ${summary.applicable} applicable rules ${open === 1 ? "was" : "were"} not examined`,
        ]
      : []),
    ...(requireLevel !== undefined && !reaches(conformanceLevel, requireLevel)
      ? [
          `--require-level ${requireLevel}: ${conformanceLevel === null ? `there is no level (${report.levelBecause})` : `the level is ${conformanceLevel}`}`,
        ]
      : []),
    ...(minExamined !== undefined && share < minExamined
      ? [`--min-examined ${minExamined}: ${Math.floor(share)} % of the applicable rules were examined`]
      : []),
    ...(gates.equivalent && equivalenceOf(report) !== "equivalent" ? [`--equivalent: ${equivalenceText(report)}`] : []),
  ];
}

const reaches = (level: ConformanceLevel | null, wanted: ConformanceLevel): boolean =>
  level !== null && conformanceLevels.indexOf(level) <= conformanceLevels.indexOf(wanted);

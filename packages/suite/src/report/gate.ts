import { type ConformanceLevel, type ConformanceReport, conformanceLevels, resultsOf } from "./document.ts";

export const failOnChoices = ["must", "should", "not-examined", "never"] as const;
/** What makes a run count as failed besides a broken rule; `never` lets broken rules pass too. */
export type FailOn = (typeof failOnChoices)[number];

export const requirableLevels = ["full", "partial", "minimal"] as const satisfies readonly ConformanceLevel[];

/** What the operator asks of a run, beyond that no rule is broken. */
export interface Gates {
  readonly failOn?: FailOn;
  /** the least level; a run without one does not reach it */
  readonly requireLevel?: (typeof requirableLevels)[number];
  /** the least share of the rules that apply which has to be examined, in percent */
  readonly minExamined?: number;
  /** a baseline lists failures that are gone */
  readonly staleBaseline?: boolean;
}

export type RunExitCode = 0 | 1 | 2 | 3 | 130;

/**
 * How a run ends for the operator (DESIGN §7): 0 no rule broken as far as examined, 1 not conformant or a gate is
 * shut, 2 inconclusive, 3 our own error, 130 interrupted. Gates make a 0 to a 1, `--fail-on never` a 1 to a 0, and
 * neither changes anything else.
 */
export function exitCodeOf(report: ConformanceReport, gates: Gates = {}): RunExitCode {
  const code = ungated(report);
  if (gates.failOn === "never") return code === 1 ? 0 : code;
  return code === 0 && shutGates(report, gates).length ? 1 : code;
}

function ungated(report: ConformanceReport): RunExitCode {
  const { ending, outcome, summary } = report;
  if (ending === "interrupted") return 130;
  // A run of ours that never wrote down its end, or in which all that was tried broke down on our side.
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

/** Every failure that counts stands in the baseline. */
export const isExpected = (report: ConformanceReport): boolean => {
  const failed = resultsOf(report).filter(({ verdict, disputed }) => verdict === "fail" && !disputed);
  return failed.length > 0 && failed.every(({ expected }) => expected !== undefined);
};

/** The gates that are shut, each in words. */
export function shutGates(report: ConformanceReport, gates: Gates): string[] {
  const { failOn = "must", requireLevel, minExamined, staleBaseline } = gates;
  const { summary, conformanceLevel } = report;
  const open = summary.applicable - summary.examined;
  const share = summary.applicable === 0 ? 0 : (100 * summary.examined) / summary.applicable;
  const warned = resultsOf(report).filter(
    ({ warning, level, disputed }) => warning !== undefined && level !== "MAY" && !disputed,
  ).length;
  return [
    ...(staleBaseline ? ["the baseline lists failures that are gone"] : []),
    ...(failOn === "should" && warned ? [`--fail-on should: ${warned} ${warned === 1 ? "warning" : "warnings"}`] : []),
    ...(failOn === "not-examined" && open
      ? [
          `--fail-on not-examined: ${open} of the ${summary.applicable} rules that apply ${open === 1 ? "was" : "were"} not examined`,
        ]
      : []),
    ...(requireLevel !== undefined && !reaches(conformanceLevel, requireLevel)
      ? [
          `--require-level ${requireLevel}: ${conformanceLevel === null ? "there is no level" : `the level is ${conformanceLevel}`}`,
        ]
      : []),
    ...(minExamined !== undefined && share < minExamined
      ? [`--min-examined ${minExamined}: ${Math.floor(share)} % of the rules that apply were examined`]
      : []),
  ];
}

const reaches = (level: ConformanceLevel | null, wanted: ConformanceLevel): boolean =>
  level !== null && conformanceLevels.indexOf(level) <= conformanceLevels.indexOf(wanted);

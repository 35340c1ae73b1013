import type { ConformanceReport } from "./document.ts";
import { resultsOf } from "./fold.ts";
import type { ConformanceResult } from "./result.ts";

export const failOnChoices = ["must", "should", "never"] as const;
/** What makes a run count as failed. */
export type FailOn = (typeof failOnChoices)[number];

/**
 * How a run ends for the one who started it: 0 conformant as far as examined, 1 not conformant, 2 there was nothing to
 * test, 3 our own error, 130 interrupted.
 */
export function exitCodeOf(report: ConformanceReport, failOn: FailOn = "must"): 0 | 1 | 2 | 3 | 130 {
  switch (report.ending) {
    case "unreachable":
    case "no-card":
    case "login-required":
    case "no-interface":
      return 2;
    case "interrupted":
      return 130;
    case "done":
    case "cut-off":
      break;
  }
  if (failOn === "never") return 0;
  const gating = resultsOf(report).filter((result) => gates(result, failOn));
  if (gating.length) return 1;
  // Nothing was found, and not because nothing is wrong: every check broke down on our side or the network's.
  const { total, errors } = report.summary;
  return total > 0 && errors === total ? 3 : 0;
}

function gates({ verdict, warning, level, disputed, expected }: ConformanceResult, failOn: FailOn): boolean {
  if (disputed || expected !== undefined) return false;
  if (verdict === "fail" || verdict === "blocked") return true;
  return failOn === "should" && warning !== undefined && level !== "MAY";
}

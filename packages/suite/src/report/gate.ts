import { causeFinder } from "./cause.ts";
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
  if (isFailed(resultsOf(report), failOn)) return 1;
  // A run always writes down how it ended; when it did not, something of ours broke off.
  if (report.ending === "cut-off") return 3;
  // Nothing was found, and not because nothing is wrong: what was tried broke down on our side or the network's.
  const { examined, errors } = report.summary;
  return examined === 0 && errors > 0 ? 3 : 0;
}

function isFailed(results: readonly ConformanceResult[], failOn: FailOn): boolean {
  if (failOn === "never") return false;
  const causeOf = causeFinder(results);
  return results.some((result) => {
    const { verdict, warning, level, disputed, expected } = result;
    if (disputed || expected !== undefined) return false;
    if (verdict === "fail") return true;
    if (verdict === "blocked") return !isExcused(causeOf(result));
    return failOn === "should" && warning !== undefined && level !== "MAY";
  });
}

/** What a failure holds up is excused with it: else a contested or expected failure would decide after all. */
const isExcused = (cause: ConformanceResult | undefined): boolean =>
  cause !== undefined && (cause.disputed === true || cause.expected !== undefined);

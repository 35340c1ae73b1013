import type { Examination, FleetJob } from "../examining/examination.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";
import { brokenRules } from "../report/broken-rules.ts";

/** The circumstances of an examination. */
export interface ExaminedBy {
  readonly attempts: number;
  readonly at: string;
  readonly worker: string;
}

/** Returns the verdict of a sweep on an agent: from this examination, or repeated if the card is unchanged. */
export function verdictOf(
  { sweep, agent }: FleetJob,
  examination: Examination,
  by: ExaminedBy,
  before?: FleetVerdict,
): FleetVerdict {
  const { name, url, labels } = agent;
  const { cardDigest, report, builtWith, duration_ms } = examination;
  const now = { sweep, agent: name, url, labels, ...by, duration_ms };
  if (examination.unchanged && before)
    return { ...before, ...now, unchanged: true, examinedAt: before.examinedAt ?? before.at };
  return {
    ...now,
    class: examination.class,
    reason: examination.reason,
    ...(cardDigest !== undefined && { cardDigest }),
    ...(builtWith && { builtWith }),
    ...(report && {
      run: report.run,
      outcome: report.outcome,
      level: report.conformanceLevel,
      examined: { rules: report.summary.examined, of: report.summary.applicable },
      broken: brokenRules(report),
    }),
  };
}

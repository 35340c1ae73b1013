import { type ConformanceReport, failuresOf, outcomeWord, type RunHeadline } from "@assay/suite/report";

/** A run in a list. */
export interface HistoryRun extends RunHeadline {
  /** the outcome in the words of every view */
  readonly answer: string;
  /** how many different rules are broken */
  readonly broken: number;
}

export function historyRun(report: ConformanceReport): HistoryRun {
  const { run, agentUrl, agentName, agentVersion, testDate, subject, outcome, scope } = report;
  const { conformanceLevel, ending, depth, duration_ms, summary } = report;
  return {
    ...{ run, agentUrl, agentName, agentVersion, testDate, subject, outcome, scope },
    ...{ conformanceLevel, ending, depth, duration_ms, summary },
    answer: outcomeWord(report),
    broken: new Set(failuresOf(report).flatMap(({ test, also }) => [test, ...also])).size,
  };
}

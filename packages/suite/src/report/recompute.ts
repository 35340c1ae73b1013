import { type ConformanceReport, resultsOf } from "./document.ts";
import type { RunEvent } from "./events.ts";
import { foldRun } from "./fold.ts";
import { statusOf } from "./verdict.ts";

/** A member of a report's head that contradicts its results. */
export interface HeadMismatch {
  /** "conformanceLevel", "summary.examined" */
  readonly member: string;
  readonly says: string;
  readonly follows: string;
}

/** The members of the head that follow from the results. */
const derived = [
  "outcome",
  "scope",
  "conformanceLevel",
  "levelBecause",
  "dialects",
  "rootCauses",
  "fixFirst",
] as const satisfies readonly (keyof ConformanceReport)[];

/** Recomputes a report from its own results. Returns the first member of its head that differs. */
export function headMismatch(report: ConformanceReport): HeadMismatch | undefined {
  const results = resultsOf(report);
  const odd = results.find(({ verdict, status }) => status !== statusOf(verdict));
  if (odd) return { member: `status of ${odd.test}`, says: odd.status, follows: statusOf(odd.verdict) };
  const again = foldRun(eventsOf(report));
  const counts = Object.keys(again.summary) as (keyof ConformanceReport["summary"])[];
  const members: [string, unknown, unknown][] = [
    ...counts.map((name): [string, unknown, unknown] => [`summary.${name}`, report.summary[name], again.summary[name]]),
    ...derived.map((name): [string, unknown, unknown] => [name, report[name], again[name]]),
  ];
  for (const [member, told, derivedNow] of members) {
    const [says, follows] = [canonical(told), canonical(derivedNow)];
    if (says !== follows) return { member, says, follows };
  }
  return undefined;
}

/** Reconstructs the events of a run from its report. */
function eventsOf(report: ConformanceReport): RunEvent[] {
  const { run, testDate: at, tool, ruleSet, agentUrl, subject, depth, strict, summary, ending, resumes } = report;
  const { cardUrl, capabilities, interfaces, leftOut, agentName: name, agentVersion: version } = report;
  const results = resultsOf(report);
  const before = resumes?.workingMessages ?? 0;
  return [
    {
      ...{ event: "run-started", run, at, tool, ruleSet, agentUrl, subject, depth, strict },
      ...(results.some(({ unexamined }) => unexamined === "filter") && { filtered: true as const }),
      ...(resumes && { resumes }),
    },
    ...(cardUrl !== undefined && capabilities
      ? [
          {
            event: "agent-found" as const,
            ...{ cardUrl, name, version, interfaces, leftOut, capabilities },
            dialects: report.dialects.map(
              ({ outcome: _o, conformanceLevel: _l, levelBecause: _b, ...spoken }) => spoken,
            ),
          },
        ]
      : []),
    {
      ...{ event: "planned", checks: 0, rules: 0 },
      workingMessages: summary.plannedMessages - before,
      withoutCheck: summary.withoutCheck,
    },
    ...results.map((result): RunEvent => ({ event: "check-finished", result })),
    ...(ending === "cut-off"
      ? []
      : [
          {
            ...{ event: "run-finished" as const, at, ending, duration_ms: report.duration_ms },
            workingMessages: summary.workingMessages - before,
            ...(report.message !== undefined && { message: report.message }),
          },
        ]),
  ];
}

/** Returns the same text for the same value, independent of member order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? "nothing";

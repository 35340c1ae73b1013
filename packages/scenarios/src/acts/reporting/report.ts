import type { ConformanceResult, HarEntry } from "@assay/suite/report";
import { type Level, levels, type Transport, transports } from "../model.ts";
import type { TestedSuite } from "../running/run.ts";
import type { TestOutcome, Verdict } from "./outcome.ts";

/** An ACTS run as one document, from which the other reports are made. */
export interface ActsReport {
  readonly agentUrl: string;
  readonly agentName: string;
  readonly agentVersion: string;
  /** ISO 8601 */
  readonly testDate: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly actsVersion: string;
  readonly specVersion: string;
  readonly ending: "done" | "interrupted";
  readonly duration_ms: number;
  readonly summary: Counts & { readonly by_level: Readonly<Record<Level, Counts>> };
  /** the applied interpretation rules, with counts */
  readonly rules: Readonly<Record<string, number>>;
  readonly suites: readonly ReportedSuite[];
  /** findings of the suite's checks in the traffic of this run; they do not affect the result */
  readonly traffic: readonly ConformanceResult[];
  /** the exchanges of failures, masked */
  readonly exchanges: Readonly<Record<string, HarEntry>>;
  readonly notes: readonly string[];
}

export interface ReportedSuite {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly tests: readonly TestOutcome[];
}

export interface Counts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly defects: number;
  readonly errors: number;
}

const members = {
  pass: "passed",
  fail: "failed",
  skip: "skipped",
  defect: "defects",
  error: "errors",
} as const satisfies Record<Verdict, keyof Counts>;

export function countsOf(outcomes: readonly TestOutcome[]): Counts {
  const counts = { total: outcomes.length, passed: 0, failed: 0, skipped: 0, defects: 0, errors: 0 };
  for (const { verdict } of outcomes) counts[members[verdict]] += 1;
  return counts;
}

export interface ReportFacts {
  readonly agentUrl: string;
  readonly agentName: string;
  readonly agentVersion: string;
  readonly testDate: string;
  readonly version: string;
  readonly ending: "done" | "interrupted";
  readonly durationMs: number;
  readonly traffic: readonly ConformanceResult[];
  readonly exchanges: ReadonlyMap<string, HarEntry>;
  readonly notes: readonly string[];
}

export function reportOf(tested: readonly TestedSuite[], facts: ReportFacts): ActsReport {
  const suites = tested.map(({ id, name, file, tests }) => ({
    id,
    name,
    file: file.file,
    tests: tests.flatMap(({ outcomes }) => outcomes),
  }));
  const outcomes = suites.flatMap(({ tests }) => tests);
  const { agentUrl, agentName, agentVersion, testDate, version, ending, durationMs, traffic, exchanges, notes } = facts;
  const needed = new Set(
    outcomes.flatMap(({ failure, steps, verdict }) =>
      verdict === "fail" || verdict === "error" ? [failure?.exchange, ...steps.flatMap((step) => step.exchanges)] : [],
    ),
  );
  return {
    agentUrl,
    agentName,
    agentVersion,
    testDate,
    tool: { name: "assay", version },
    actsVersion: tested[0]?.file.actsVersion ?? "1.0",
    specVersion: tested[0]?.file.specVersion ?? "1.0",
    ending,
    duration_ms: durationMs,
    summary: { ...countsOf(outcomes), by_level: byLevel(outcomes) },
    rules: rulesIn(outcomes),
    suites,
    traffic,
    exchanges: Object.fromEntries([...exchanges].filter(([id]) => needed.has(id))),
    notes,
  };
}

export const byLevel = (outcomes: readonly TestOutcome[]): Record<Level, Counts> =>
  Object.fromEntries(
    levels.map((level) => [level, countsOf(outcomes.filter((each) => each.level === level))]),
  ) as Record<Level, Counts>;

function rulesIn(outcomes: readonly TestOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  // Count each rule once per test, on any number of bindings.
  const seen = new Set<string>();
  for (const { id, rules } of outcomes)
    for (const { rule } of rules) {
      if (seen.has(`${id} ${rule}`)) continue;
      seen.add(`${id} ${rule}`);
      counts[rule] = (counts[rule] ?? 0) + 1;
    }
  return counts;
}

export const outcomesOf = ({ suites }: ActsReport): TestOutcome[] => suites.flatMap(({ tests }) => tests);

/** Returns the tested bindings, in the order of the format. */
export const transportsIn = (report: ActsReport): Transport[] =>
  transports.filter((each) => outcomesOf(report).some(({ transport }) => transport === each));

import { type ConformanceReport, resultsOf } from "./document.ts";
import { whereOf } from "./group.ts";
import { type ConformanceResult, ruleKey } from "./result.ts";
import { type Standing, standingOf } from "./standing.ts";

/** The change of a rule between two runs, and where. */
export interface RuleChange {
  /**
   * `fixed`: failed before and holds now. `broken`: held and fails now. `found`: fails now and was not examined
   * before. `unknown`: failed and was not examined again. `gone`: failed and no longer applies. `still`: failed and
   * still fails.
   */
  readonly change: "fixed" | "broken" | "found" | "unknown" | "gone" | "still";
  readonly test: string;
  readonly title: string;
  /** "JSON-RPC", "gRPC 0.3", "card" */
  readonly places: readonly string[];
  /** the current finding, or the finding of the run in which the rule failed */
  readonly message?: string;
  /** a baseline accepts the failure, or its rule is disputed: it never decides the exit code */
  readonly accepted?: true;
}

/** Two runs of one agent side by side. The address of the agent may differ. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** the changes, most important first */
  readonly changes: readonly RuleChange[];
  /** rules that only one of the runs examined */
  readonly coverage: { readonly gained: readonly string[]; readonly lost: readonly string[] };
  /** rules with a failure that the run before did not have, whether it examined them or not */
  readonly newFailures: number;
  /** there are new failures, or the outcome is worse */
  readonly regressed: boolean;
}

export type ComparedRun = Pick<
  ConformanceReport,
  "run" | "testDate" | "agentUrl" | "agentName" | "agentVersion" | "outcome" | "conformanceLevel" | "ruleSet"
> & { readonly examined: number; readonly applicable: number };

const order: readonly RuleChange["change"][] = ["broken", "found", "unknown", "still", "gone", "fixed"];
const worth: Record<ConformanceReport["outcome"], number> = { "not-conformant": 0, inconclusive: 1, conformant: 2 };

export function compareReports(before: ConformanceReport, after: ConformanceReport): Comparison {
  const [then, now] = [byPlace(before), byPlace(after)];
  const changes = new Map<string, RuleChange>();
  for (const key of new Set([...then.keys(), ...now.keys()])) {
    const [old = [], current = []] = [then.get(key), now.get(key)];
    const change = changeOf(standingOf(old), standingOf(current));
    if (change) add(changes, change, old, current);
  }
  const listed = [...changes.values()].toSorted(
    (a, b) => order.indexOf(a.change) - order.indexOf(b.change) || a.test.localeCompare(b.test),
  );
  const fresh = rulesIn(listed.filter(({ change, accepted }) => isNew(change) && !accepted));
  return {
    before: summaryOf(before),
    after: summaryOf(after),
    changes: listed,
    coverage: coverageOf(resultsOf(before), resultsOf(after)),
    newFailures: fresh,
    regressed: fresh > 0 || worth[after.outcome] < worth[before.outcome],
  };
}

const isNew = (change: RuleChange["change"]): boolean => change === "broken" || change === "found";
/** Counts rules, as the title does. A rule has several changes if its findings differ between interfaces. */
export const rulesIn = (changes: readonly RuleChange[]): number => new Set(changes.map(({ test }) => test)).size;

/** Returns a line that says if the later run is better or worse: "3 new failures, 1 fixed". */
export function comparisonTitle({ before, after, changes, newFailures: fresh, regressed }: Comparison): string {
  const fixed = rulesIn(changes.filter(({ change }) => change === "fixed"));
  const failures = (count: number, kind = ""): string => `${count}${kind} ${count === 1 ? "failure" : "failures"}`;
  if (fresh) return `${failures(fresh, " new")}${fixed ? `, ${fixed} fixed` : ""}`;
  if (regressed)
    return `Worse than before: ${after.outcome.replace("-", " ")}, was ${before.outcome.replace("-", " ")}`;
  return fixed ? `${failures(fixed)} fixed, none new` : "No new failures";
}

function changeOf(then: Standing, now: Standing): RuleChange["change"] | undefined {
  if (now === "broken") return then === "broken" ? "still" : then === "holds" ? "broken" : "found";
  if (then !== "broken") return undefined;
  return now === "holds" ? "fixed" : now === "unknown" ? "unknown" : "gone";
}

/** Merges the same change in several places. */
function add(
  changes: Map<string, RuleChange>,
  change: RuleChange["change"],
  old: readonly ConformanceResult[],
  current: readonly ConformanceResult[],
): void {
  const failed = [...current, ...old].find(({ verdict }) => verdict === "fail")!;
  const { test, title, message, expected, disputed } = failed;
  const accepted = expected !== undefined || disputed === true;
  const key = `${change} ${accepted} ${ruleKey(failed)} ${message ?? ""}`;
  const known = changes.get(key);
  const places = [...new Set([...(known?.places ?? []), whereOf(failed)])];
  changes.set(key, {
    ...{ change, test, title, places },
    ...(message !== undefined && { message }),
    ...(accepted && { accepted }),
  });
}

/** Groups the results of a report by rule, version and interface. */
export function byPlace(report: ConformanceReport): Map<string, ConformanceResult[]> {
  const places = new Map<string, ConformanceResult[]>();
  for (const result of resultsOf(report)) {
    const key = `${ruleKey(result)} ${whereOf(result)}`;
    places.set(key, [...(places.get(key) ?? []), result]);
  }
  return places;
}

function coverageOf(then: readonly ConformanceResult[], now: readonly ConformanceResult[]): Comparison["coverage"] {
  const [before, after] = [examinedIn(then), examinedIn(now)];
  return {
    gained: [...after].filter((rule) => !before.has(rule)),
    lost: [...before].filter((rule) => !after.has(rule)),
  };
}

/** Returns the rules that were examined somewhere: "LIST-003", with the version if it is not 1.0. */
const examinedIn = (results: readonly ConformanceResult[]): Set<string> =>
  new Set(
    results
      .filter(({ status }) => status !== "skip")
      .map(({ test, dialect }) => (dialect === "1.0" ? test : `${test} ${dialect}`)),
  );

const summaryOf = ({ summary: { examined, applicable }, ...report }: ConformanceReport): ComparedRun => {
  const { run, testDate, agentUrl, agentName, agentVersion, outcome, conformanceLevel, ruleSet } = report;
  return {
    ...{ run, testDate, agentUrl, agentName, agentVersion, outcome, conformanceLevel, ruleSet },
    examined,
    applicable,
  };
};

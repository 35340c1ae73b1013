import { type ConformanceReport, type ConformanceResult, resultsOf } from "@assay/suite/report";
import { standingOf } from "../standing.ts";

/** What became of an agent from one run to the next. */
export interface SinceLastRun {
  /** rules that failed, and now hold in every place in which they did */
  readonly fixed: readonly string[];
  /** rules that fail now and held before */
  readonly broken: readonly string[];
  /** rules that fail now, and of which nothing was known before */
  readonly found: readonly string[];
}

export function sinceLastRun(before: ConformanceReport, after: ConformanceReport): SinceLastRun {
  const [then, now] = [resultsOf(before), resultsOf(after)];
  const [failedThen, failedNow] = [failing(then), failing(now)];
  const newly = [...failedNow.keys()].filter((test) => !failedThen.has(test));
  const held = (test: string): boolean => standingOf(about(test, then)) === "holds";
  const isFixed = ([test, places]: [string, ReadonlySet<string>]): boolean =>
    !failedNow.has(test) &&
    [...places].every((place) => standingOf(about(test, now).filter((each) => placeOf(each) === place)) === "holds");
  return {
    fixed: [...failedThen].filter(isFixed).map(([test]) => test),
    broken: newly.filter(held),
    found: newly.filter((test) => !held(test)),
  };
}

const about = (test: string, results: readonly ConformanceResult[]): ConformanceResult[] =>
  results.filter((result) => result.test === test);

/** Ports may change from one start of the agent to the next. */
const placeOf = ({ dialect, interface: on }: ConformanceResult): string => `${dialect} ${on?.binding ?? "card"}`;

/** The rules that fail, and where. */
function failing(results: readonly ConformanceResult[]): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const result of results) {
    if (result.verdict !== "fail") continue;
    places.set(result.test, (places.get(result.test) ?? new Set()).add(placeOf(result)));
  }
  return places;
}

export function sinceLines({ fixed, broken, found }: SinceLastRun): string[] {
  if (!fixed.length && !broken.length && !found.length) return ["Since the last run: no change."];
  const parts = [
    ...(broken.length ? [`newly failing ${broken.join(", ")}`] : []),
    ...(found.length ? [`failing, and not examined then, ${found.join(", ")}`] : []),
    ...(fixed.length ? [`fixed ${fixed.join(", ")}`] : []),
  ];
  return [`Since the last run: ${parts.join("; ")}.`];
}

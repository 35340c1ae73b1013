import { byPlace } from "./compare.ts";
import type { ConformanceReport } from "./document.ts";
import { byCategory } from "./fold.ts";
import type { ConformanceResult } from "./result.ts";
import { standingOf } from "./standing.ts";

/**
 * Combines the runs of an agent, newest first, into one report. Each rule has, in each place, the result of the newest
 * run that examined it there. So a partial or interrupted run hides no older result.
 */
export function lastKnown(reports: readonly ConformanceReport[]): ConformanceReport | undefined {
  const [newest] = reports;
  if (!newest) return undefined;
  const known = new Map<string, readonly ConformanceResult[]>();
  for (const report of reports)
    for (const [place, results] of byPlace(report)) if (!isExamined(known.get(place))) known.set(place, results);
  return { ...newest, categories: byCategory([...known.values()].flat()) };
}

const isExamined = (results: readonly ConformanceResult[] = []): boolean => {
  const standing = standingOf(results);
  return standing === "holds" || standing === "broken";
};

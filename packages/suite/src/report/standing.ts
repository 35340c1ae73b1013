import type { ConformanceResult } from "./result.ts";

/**
 * The state of a rule over some of its results. Broken in one place is broken. Not examined, blocked or inconclusive
 * is unknown, and outweighs places where the rule holds.
 */
export type Standing = "broken" | "unknown" | "holds" | "no-concern";

export function standingOf(results: readonly Pick<ConformanceResult, "verdict">[]): Standing {
  const verdicts = new Set(results.map(({ verdict }) => verdict));
  if (verdicts.has("fail")) return "broken";
  if (verdicts.has("not-examined") || verdicts.has("blocked") || verdicts.has("error")) return "unknown";
  return verdicts.has("pass") ? "holds" : "no-concern";
}

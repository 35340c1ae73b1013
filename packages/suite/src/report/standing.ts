import type { ConformanceResult } from "./result.ts";

/**
 * What is known of a rule from some of its results, in one place or in several: broken in one of them is broken; what was
 * not examined, is blocked or came to no answer is unknown, and outweighs what holds elsewhere.
 */
export type Standing = "broken" | "unknown" | "holds" | "no-concern";

export function standingOf(results: readonly Pick<ConformanceResult, "verdict">[]): Standing {
  const verdicts = new Set(results.map(({ verdict }) => verdict));
  if (verdicts.has("fail")) return "broken";
  if (verdicts.has("not-examined") || verdicts.has("blocked") || verdicts.has("error")) return "unknown";
  return verdicts.has("pass") ? "holds" : "no-concern";
}

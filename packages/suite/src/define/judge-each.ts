import type { Finding } from "./finding.ts";
import { Obstacle } from "./obstacle.ts";

/** Judges several things by one rule. An obstacle to one of them counts only if none of the others breaks the rule. */
export async function judgeEach<T>(
  things: readonly T[],
  judge: (thing: T) => Finding | Promise<Finding>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let obstacle: Obstacle | undefined;
  for (const thing of things) {
    try {
      findings.push(await judge(thing));
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      obstacle ??= error;
    }
  }
  if (obstacle && !findings.some(({ is }) => is === "breach")) throw obstacle;
  return findings;
}

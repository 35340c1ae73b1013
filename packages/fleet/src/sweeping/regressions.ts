import { conformanceLevels } from "@assay/suite/report";
import { classFacts } from "../classes/agent-class.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";

/** An agent with a worse result than at its last examination. */
export interface Regression {
  readonly agent: string;
  readonly url: string;
  readonly before: Pick<FleetVerdict, "class" | "level" | "at">;
  readonly now: Pick<FleetVerdict, "class" | "level" | "reason" | "at">;
}

/**
 * Returns the agents whose class got worse or whose level fell. Ignores agents that were not examined this time or last
 * time.
 */
export function regressionsIn(before: readonly FleetVerdict[], now: readonly FleetVerdict[]): Regression[] {
  const known = new Map(before.map((verdict) => [verdict.agent, verdict]));
  return now.flatMap((verdict) => {
    const last = known.get(verdict.agent);
    if (!last || !isWorse(last, verdict)) return [];
    return [
      { agent: verdict.agent, url: verdict.url, before: told(last), now: { ...told(verdict), reason: verdict.reason } },
    ];
  });
}

function isWorse(before: FleetVerdict, now: FleetVerdict): boolean {
  const [was, is] = [classFacts(before.class).rank, classFacts(now.class).rank];
  if (was === undefined || is === undefined) return false;
  return is > was || (is === was && levelFell(before.level, now.level));
}

/** Returns true if the level got worse. An absent level claims nothing, so it never counts. */
export const levelFell = (before: FleetVerdict["level"], now: FleetVerdict["level"]): boolean =>
  before != null && now != null && conformanceLevels.indexOf(now) > conformanceLevels.indexOf(before);

const told = ({ class: named, level, at }: FleetVerdict): Regression["before"] => ({
  class: named,
  ...(level !== undefined && { level }),
  at,
});

import { type ConformanceLevel, conformanceLevels } from "@assay/suite/report";
import { agentClasses } from "../classes/agent-class.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";

const levelPlace = (level: ConformanceLevel | null | undefined): number =>
  level ? conformanceLevels.indexOf(level) : conformanceLevels.length;

const share = ({ examined }: FleetVerdict): number => (examined && examined.of > 0 ? examined.rules / examined.of : 0);

/** The best first: by class, level, how few rules are broken, how much was examined, and then by name. */
export const inLeague = (verdicts: readonly FleetVerdict[]): FleetVerdict[] =>
  verdicts.toSorted(
    (a, b) =>
      agentClasses.indexOf(a.class) - agentClasses.indexOf(b.class) ||
      levelPlace(a.level) - levelPlace(b.level) ||
      (a.broken?.length ?? 0) - (b.broken?.length ?? 0) ||
      share(b) - share(a) ||
      compareNames(a.agent, b.agent),
  );

/** By code unit: the same on every machine. */
const compareNames = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

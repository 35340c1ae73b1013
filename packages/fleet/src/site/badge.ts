import { drawnBadge } from "@assay/reporters";
import { classFacts } from "../classes/agent-class.ts";
import type { FleetRow } from "../report/document.ts";
import { toneOf } from "../view/tone.ts";

const outcomes = { pass: "conformant", fail: "not-conformant", none: "inconclusive" } as const;

/** A badge for the agent's README: class, level, share examined and date. It shows no text from the agent. */
export function fleetBadge(row: FleetRow): string {
  const { class: named, level, examined, at } = row;
  const share = examined && examined.of > 0 ? Math.floor((100 * examined.rules) / examined.of) : 0;
  const words = [
    classFacts(named).words,
    ...(level && level !== "non-conformant" ? [level] : []),
    ...(examined && examined.rules > 0 ? [`${share} % examined`] : []),
    at.slice(0, 10),
  ];
  return drawnBadge(words, outcomes[toneOf(row)]);
}

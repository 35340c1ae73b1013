import { dateText, plural } from "@assay/suite/text";
import { classFacts } from "../classes/agent-class.ts";
import { type ChangeKind, type ComparedVerdict, type FleetChange, rulesOnlyIn } from "./changes.ts";
import type { FleetReport, FleetRow } from "./document.ts";

/** Sentences that all formats of the report share. Plain text: each format escapes it itself. */

export const changeWords: Readonly<Record<ChangeKind, string>> = {
  regressed: "regressed",
  recovered: "recovered",
  "level-fell": "level fell",
  "level-rose": "level rose",
  changed: "changed",
  new: "new",
  gone: "gone",
};

/** Returns "312 of 500 agents work without a broken rule". */
export function headlineOf({ classes, agents }: FleetReport): string {
  const working = classes.working ?? 0;
  return `${working} of ${plural(agents.length, "agent")} ${working === 1 || agents.length === 1 ? "works" : "work"} without a broken rule`;
}

/** Describes the time of the sweep, its number of agents, and whether it is finished. */
export function sweepText({ sweep, agents }: FleetReport): string {
  const { startedAt, endedAt, agents: listed } = sweep;
  if (endedAt !== undefined) return `swept ${dateText(startedAt)}, ${plural(agents.length, "agent")}`;
  return `the sweep of ${dateText(startedAt)} is not over: ${agents.length} of ${plural(listed, "agent")} so far`;
}

/** The extent of the test, so that no one mistakes a short test for a long one; undefined if there was none. */
export function shareText({ agents }: FleetReport): string | undefined {
  const shares = agents.flatMap(({ examined }) => (examined ? [examined.rules] : [])).toSorted((a, b) => a - b);
  const middle = shares[Math.floor(shares.length / 2)];
  if (middle === undefined) return undefined;
  if (shares[0] === shares.at(-1)) return `${plural(middle, "rule")} examined of each agent that could be`;
  return `${plural(middle, "rule")} examined of an agent in the middle, from ${shares[0]} to ${shares.at(-1)}`;
}

/** Returns "partial", "no level", or an empty text if no rule was examined. */
export const levelWord = ({ level, outcome }: Pick<FleetRow, "level" | "outcome">): string =>
  level ?? (outcome === "conformant" ? "no level" : "");

/** Returns "214 of 301". */
export const examinedWord = ({ examined }: Pick<FleetRow, "examined">): string =>
  examined ? `${examined.rules} of ${examined.of}` : "";

const standingText = ({ class: named, level }: ComparedVerdict): string =>
  level ? `${classFacts(named).words} (${level})` : classFacts(named).words;

/** Returns "working (full) → unreachable"; within one class, the changes of the broken rules. */
export function changeText({ before, now }: FleetChange): string {
  if (!before || !now) return standingText((now ?? before)!);
  const [from, to] = [standingText(before), standingText(now)];
  if (from !== to) return `${from} → ${to}`;
  const [more, less] = [rulesOnlyIn(now, before), rulesOnlyIn(before, now)];
  return [
    ...(more.length ? [`now breaks ${some(more)}`] : []),
    ...(less.length ? [`no longer breaks ${some(less)}`] : []),
  ].join("; ");
}

const named = 6;
const some = (rules: readonly string[]): string =>
  rules.length > named ? `${rules.slice(0, named).join(", ")} and ${rules.length - named} more` : rules.join(", ");

/** Texts for views in other packages. */
export const fleetWords = { classFacts, changeWords, headlineOf, sweepText, shareText, changeText };

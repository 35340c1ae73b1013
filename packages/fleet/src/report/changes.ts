import { classFacts } from "../classes/agent-class.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";
import { levelFell } from "../sweeping/regressions.ts";

export const changeKinds = ["regressed", "recovered", "level-fell", "level-rose", "changed", "new", "gone"] as const;
/** The change of an agent since the previous sweep. */
export type ChangeKind = (typeof changeKinds)[number];

/** The state of an agent, as far as two sweeps are compared. */
export type ComparedVerdict = Pick<FleetVerdict, "class" | "level" | "broken">;

export interface FleetChange {
  readonly agent: string;
  readonly url: string;
  readonly kind: ChangeKind;
  readonly before?: ComparedVerdict;
  readonly now?: ComparedVerdict;
}

/** Compares two sweeps. A missing agent counts as gone only if the sweep finished. */
export function changesBetween(
  before: readonly FleetVerdict[],
  now: readonly FleetVerdict[],
  { isWhole }: { readonly isWhole: boolean },
): FleetChange[] {
  const earlier = new Map(before.map((verdict) => [verdict.agent, verdict]));
  const present = new Set(now.map(({ agent }) => agent));
  const changes = now.flatMap((verdict): FleetChange[] => {
    const { agent, url } = verdict;
    const was = earlier.get(agent);
    if (!was) return [{ agent, url, kind: "new", now: compared(verdict) }];
    const kind = changeKind(was, verdict);
    return kind === undefined ? [] : [{ agent, url, kind, before: compared(was), now: compared(verdict) }];
  });
  const gone = before
    .filter(({ agent }) => isWhole && !present.has(agent))
    .map((was): FleetChange => ({ agent: was.agent, url: was.url, kind: "gone", before: compared(was) }));
  return [...changes, ...gone].toSorted(
    (a, b) => changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind) || (a.agent < b.agent ? -1 : 1),
  );
}

/** Returns the kind of change; undefined if there is none to report. */
function changeKind(before: ComparedVerdict, now: ComparedVerdict): ChangeKind | undefined {
  if (before.class !== now.class) {
    const [was, is] = [classFacts(before.class).rank, classFacts(now.class).rank];
    if (was === undefined || is === undefined || was === is) return "changed";
    return is > was ? "regressed" : "recovered";
  }
  if (levelFell(before.level, now.level)) return "level-fell";
  if (levelFell(now.level, before.level)) return "level-rose";
  // Neither better nor worse: a newer Assay or a deeper test finds more in the same agent.
  return rulesOnlyIn(now, before).length || rulesOnlyIn(before, now).length ? "changed" : undefined;
}

/** Returns the rules that only the first verdict lists as broken; none if either list is unknown. */
export const rulesOnlyIn = ({ broken: here }: ComparedVerdict, { broken: there }: ComparedVerdict): string[] =>
  here && there ? here.filter((rule) => !there.includes(rule)) : [];

const compared = ({ class: named, level, broken }: ComparedVerdict): ComparedVerdict => ({
  class: named,
  ...(level !== undefined && { level }),
  ...(broken && { broken }),
});

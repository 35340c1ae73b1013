import type { PeerInterface } from "@assay/wire";
import type { ActiveCheck, Check } from "../../check.ts";
import { type Finding, notApplicable, notExamined } from "../../finding.ts";
import { type Observation, withNeeds } from "../../observation.ts";
import type { Depth } from "../../report/events.ts";
import { concerns, isIn, type RuleSet, ruleIn } from "../../rules/catalogue.ts";
import type { Rule } from "../../rules/rule.ts";
import { hindrance, promptMissing, type Situation } from "./applicability.ts";

/** An agent in one version of the protocol, as far as planning goes. */
export interface PlanVisit {
  readonly interfaces: readonly PeerInterface[];
  readonly situation: Situation;
  readonly ruleSet: RuleSet;
  /** there is a card for clients of that version */
  readonly hasCard: boolean;
  /** the agent claims to speak it */
  readonly declared: boolean;
}

/** One check on one interface (or on the agent as a whole), or the reason why not. */
export interface PlannedCheck<V extends PlanVisit = PlanVisit> {
  readonly check: Check;
  readonly visit: V;
  readonly on?: PeerInterface;
  /** it will not be run: this is what to say instead */
  readonly instead?: Finding;
  /** for a check that reads any traffic: what is made so that it sees some; for a probe, what it may see besides */
  readonly shownBy?: readonly Observation<unknown>[];
}

export interface Plan<V extends PlanVisit = PlanVisit> {
  readonly checks: readonly PlannedCheck<V>[];
  /** the most working messages that will be sent, retries included */
  readonly workingMessages: number;
}

export interface PlanInput<V extends PlanVisit = PlanVisit> {
  /** those that were selected */
  readonly checks: readonly Check[];
  /** in their place, what a filter left out */
  readonly filtered: readonly Check[];
  /** one for each version of the protocol that is tested */
  readonly visits: readonly V[];
  readonly depth: Depth;
  readonly budget: number | undefined;
  readonly rude: boolean;
}

const quickMessages = 8;
const fullMessagesPerInterface = 40;

/** Decides what will be asked, before anything is: which observations are worth their messages at this depth. */
export function planRun<V extends PlanVisit>({ checks, filtered, visits, depth, budget, rude }: PlanInput<V>): Plan<V> {
  const wanted = visits.flatMap((visit) => checks.flatMap((check) => placesOf(check, visit)));
  const entries = wanted.map(({ rule, ...place }): PlannedCheck<V> => {
    const { check, visit } = place;
    const instead =
      cardless(check, visit) ??
      notYet(rule, visit) ??
      hindranceOf(check, rule, visit.situation) ??
      tooDeep(check, depth) ??
      tooRude(check, rude);
    const shownBy = instead ? [] : occasionsOf(check, visit.situation);
    return { ...place, ...(instead && { instead }), ...(shownBy.length && { shownBy }) };
  });
  const interfaces = visits.reduce((sum, visit) => sum + visit.interfaces.length, 0);
  const { granted, limit } = grant(entries, depth, budget, interfaces);
  return {
    checks: [
      ...entries.map((entry) =>
        entry.instead || isGranted(entry, granted) ? onlyGranted(entry, granted) : leftOut(entry, depth, budget),
      ),
      ...visits.flatMap((visit) =>
        filtered.flatMap((check) =>
          placesOf(check, visit).map(({ rule: _, ...place }) => ({
            ...place,
            instead: notExamined("filter", "left out by --only or --skip"),
          })),
        ),
      ),
    ],
    workingMessages: limit,
  };
}

/**
 * Where a check is to be made: once for what is about the card, else on each interface that the rule concerns; nowhere in
 * a version that has no such rule.
 */
function placesOf<V extends PlanVisit>(
  check: Check,
  visit: V,
): { readonly check: Check; readonly visit: V; readonly rule: Rule; readonly on?: PeerInterface }[] {
  const rule = ruleIn(visit.situation.facts.dialect, check.id);
  if (!rule) return [];
  if (check.kind === "card") return [{ check, visit, rule }];
  const fitting = visit.interfaces.filter(
    ({ binding }) => concerns(rule, binding) && (check.bindings?.includes(binding) ?? true),
  );
  const places = check.kind === "active" && check.once ? fitting.slice(0, 1) : fitting;
  return places.map((on) => ({ check, visit, rule, on }));
}

const cardless = (check: Check, { hasCard }: PlanVisit): Finding | undefined =>
  check.kind === "card" && !hasCard ? notApplicable("there is no card for clients of this version") : undefined;

function hindranceOf(check: Check, rule: Rule, situation: Situation): Finding | undefined {
  const requires = check.requires ?? rule.requires;
  // What only reads traffic needs no message of its own.
  if (check.kind !== "active")
    return hindrance(
      requires.filter((need) => !need.startsWith("scenario:")),
      situation,
    );
  const kinds = observationsOf(check).flatMap(({ prompts }) => prompts ?? []);
  return hindrance(requires, situation) ?? promptMissing(kinds, situation.stimuli);
}

/** A rule that the text in question did not have. */
function notYet(rule: Rule, { ruleSet, situation }: PlanVisit): Finding | undefined {
  if (!isIn(rule, ruleSet)) return notApplicable(`the rule is no part of ${ruleSet}`);
  const { since } = rule;
  const { release, dialect } = situation.facts;
  // Releases of 0.2 say which they are from 0.2.5 on.
  if (dialect !== "0.2" || since === undefined || (release !== undefined && release >= since)) return undefined;
  return notApplicable(`the rule came with ${since}, and the card says ${release ?? "no release"}`);
}

const tooDeep = (check: Check, depth: Depth): Finding | undefined =>
  depth === "card" && check.kind !== "card"
    ? notExamined("depth", "only the card was looked at", "--depth quick")
    : undefined;

const tooRude = (check: Check, rude: boolean): Finding | undefined =>
  check.kind === "active" && check.rude && !rude
    ? notExamined("rude", "could hurt the agent, so it was not tried", "--rude")
    : undefined;

const observationsOf = ({ uses }: ActiveCheck): Observation<unknown>[] => allNeeded(Object.values(uses));

const allNeeded = (observations: readonly Observation<unknown>[]): Observation<unknown>[] => {
  const all = new Set<Observation<unknown>>();
  for (const one of observations) withNeeds(one, all);
  return [...all];
};

/** What a check would have made without depending on it, as far as we know what to say for it. */
function occasionsOf(check: Check, { stimuli }: Situation): readonly Observation<unknown>[] {
  if (check.kind === "card") return [];
  const wished = check.kind === "passive" ? (check.shownBy ?? []) : Object.values(check.also ?? {});
  return wished.filter(
    (one) =>
      !promptMissing(
        [...withNeeds(one)].flatMap(({ prompts }) => prompts ?? []),
        stimuli,
      ),
  );
}

/** An observation on an interface, as it is counted. */
const key = ({ name }: Observation<unknown>, on: PeerInterface): string =>
  `${name} @ ${on.binding} ${on.dialect} ${on.url}`;

/**
 * Spends the messages there are on the observations that matter most, on all interfaces before the next. A part is
 * kept back for asking again when the agent is pressed or breaks down for once.
 */
function grant(
  entries: readonly PlannedCheck[],
  depth: Depth,
  budget: number | undefined,
  interfaces: number,
): { granted: ReadonlySet<string>; limit: number } {
  const costly = new Map<string, { one: Observation<unknown>; on: PeerInterface; claimed: boolean; order: number }>();
  for (const { check, on, visit, instead, shownBy = [] } of entries) {
    if (!on || instead) continue;
    const needed = check.kind === "active" ? observationsOf(check) : [];
    for (const one of [...needed, ...allNeeded(shownBy)]) {
      if (one.messages > 0 && !costly.has(key(one, on)))
        costly.set(key(one, on), { one, on, claimed: visit.declared, order: costly.size });
    }
  }
  const most = depth === "quick" ? quickMessages : depth === "full" ? fullMessagesPerInterface * interfaces : 0;
  const cap = Math.min(most, budget ?? most);
  const reserve = Math.min(Math.ceil(cap / 8), 8);
  const granted = new Set<string>();
  let spent = 0;
  // What the agent never claimed gets what is left over.
  const inTurn = [...costly.values()].toSorted(
    (a, b) => Number(b.claimed) - Number(a.claimed) || (a.one.rank ?? 5) - (b.one.rank ?? 5) || a.order - b.order,
  );
  for (const { one, on } of inTurn) {
    // One that rests on another is worth nothing without it.
    const needs = [...withNeeds(one)].filter((need) => need.messages > 0 && !granted.has(key(need, on)));
    const cost = needs.reduce((sum, need) => sum + need.messages, 0);
    if (spent + cost > cap - (cap > 1 ? reserve : 0)) continue;
    for (const need of needs) granted.add(key(need, on));
    spent += cost;
  }
  return { granted, limit: spent === 0 ? 0 : Math.min(cap, spent + reserve) };
}

function isGranted({ check, on }: PlannedCheck, granted: ReadonlySet<string>): boolean {
  if (check.kind !== "active" || !on) return true;
  return observationsOf(check).every((one) => one.messages === 0 || granted.has(key(one, on)));
}

/** What is only an occasion is given up for want of messages, and the check is made without it. */
function onlyGranted<V extends PlanVisit>(entry: PlannedCheck<V>, granted: ReadonlySet<string>): PlannedCheck<V> {
  const { on, shownBy } = entry;
  if (!on || !shownBy) return entry;
  const may = (one: Observation<unknown>): boolean =>
    [...withNeeds(one)].every((need) => need.messages === 0 || granted.has(key(need, on)));
  return { ...entry, shownBy: shownBy.filter(may) };
}

function leftOut<V extends PlanVisit>(
  entry: PlannedCheck<V>,
  depth: Depth,
  budget: number | undefined,
): PlannedCheck<V> {
  const instead =
    depth !== "full"
      ? notExamined("depth", `needs more messages than --depth ${depth} allows`, "--depth full")
      : budget === undefined
        ? notExamined(
            "budget",
            `needs more messages than the ${fullMessagesPerInterface} for each interface that a run may send`,
          )
        : notExamined("budget", `needs more messages than --budget ${budget} allows`, "--budget <n>");
  return { ...entry, instead };
}

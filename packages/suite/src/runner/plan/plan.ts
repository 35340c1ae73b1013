import type { PeerInterface } from "@assay/wire";
import type { Check, FetchedCard } from "../../check.ts";
import { type Finding, notApplicable, notExamined } from "../../finding.ts";
import { type Observation, withNeeds } from "../../observation.ts";
import type { Depth } from "../../report/events.ts";
import { concerns, isIn, type RuleSet, ruleIn } from "../../rules/catalogue.ts";
import type { Rule } from "../../rules/rule.ts";
import { type Preconditions, promptMissing, unmetPrecondition } from "./applicability.ts";
import { fullMessagesPerInterface, type Grant, grant } from "./grant.ts";

/** An agent in one version of the protocol, as far as planning goes. */
export interface VersionToPlan {
  readonly interfaces: readonly PeerInterface[];
  readonly preconditions: Preconditions;
  readonly ruleSet: RuleSet;
  /** the card for clients of that version */
  readonly card: FetchedCard | undefined;
  /** the agent claims to speak it */
  readonly declared: boolean;
}

/** One check on one interface (or on the agent as a whole), or the reason why not. */
export interface PlannedCheck {
  readonly check: Check;
  readonly version: VersionToPlan;
  readonly on?: PeerInterface;
  /** it will not be run: this is what to say instead */
  readonly instead?: Finding;
  /** a filter left it out, and the rule would not concern the agent anyhow */
  readonly unconcerned?: true;
  /** for a passive check: what is made so that there are calls it can judge; for an active one, what it may see besides */
  readonly shownBy?: readonly Observation<unknown>[];
}

export interface Plan {
  readonly checks: readonly PlannedCheck[];
  /** the most messages that will make the agent work, retries included */
  readonly workingMessages: number;
}

export interface PlanInput {
  /** those that were selected */
  readonly checks: readonly Check[];
  /** those that a filter left out */
  readonly filtered: readonly Check[];
  /** one for each version of the protocol that is tested */
  readonly versions: readonly VersionToPlan[];
  readonly depth: Depth;
  readonly budget: number | undefined;
  readonly rude: boolean;
}

/** Decides what will be asked, before anything is: which checks run where, and which observations they may have. */
export function planRun({ checks, filtered, versions, depth, budget, rude }: PlanInput): Plan {
  const entries = versions
    .flatMap((version) => checks.flatMap((check) => placesOf(check, version)))
    .map((place) => entryFor(place, depth, rude));
  const interfaces = versions.reduce((sum, version) => sum + version.interfaces.length, 0);
  const granted = grant(entries.flatMap(wantedBy), { depth, budget, interfaces });
  return {
    checks: [
      ...entries.map((entry) =>
        entry.instead || isGranted(entry, granted) ? onlyGranted(entry, granted) : leftOut(entry, depth, budget),
      ),
      ...versions.flatMap((version) =>
        filtered.flatMap((check) =>
          placesOf(check, version).map(({ rule, ...place }) => ({
            ...place,
            instead: notExamined("filter", "left out by --only or --skip"),
            ...(!concerned({ rule, ...place }) && { unconcerned: true as const }),
          })),
        ),
      ),
    ],
    workingMessages: granted.messages,
  };
}

/** Whether a rule concerns the agent, examined or not. */
export const isConcerned = ({ instead, unconcerned }: PlannedCheck): boolean =>
  !unconcerned && instead?.is !== "not-applicable";

const concerned = ({ check, version, rule }: CheckPlace): boolean =>
  ![cardless(check, version), notYet(rule, version), unmetBy(check, rule, version.preconditions)].some(
    (reason) => reason?.is === "not-applicable",
  );

/** Where a check is to be made. */
interface CheckPlace {
  readonly check: Check;
  readonly version: VersionToPlan;
  readonly rule: Rule;
  readonly on?: PeerInterface;
}

/**
 * Once for what is about the card, else on each interface that the rule concerns; nowhere in a version that has no such
 * rule.
 */
function placesOf(check: Check, version: VersionToPlan): CheckPlace[] {
  const rule = ruleIn(version.preconditions.facts.dialect, check.id);
  if (!rule) return [];
  if (check.kind === "card") return [{ check, version, rule }];
  const fitting = version.interfaces.filter(
    ({ binding }) => concerns(rule, binding) && (check.bindings?.includes(binding) ?? true),
  );
  const interfaces = check.kind === "active" && check.once ? fitting.slice(0, 1) : fitting;
  return interfaces.map((on) => ({ check, version, rule, on }));
}

function entryFor({ rule, ...place }: CheckPlace, depth: Depth, rude: boolean): PlannedCheck {
  const { check, version } = place;
  const instead =
    cardless(check, version) ??
    notYet(rule, version) ??
    unmetBy(check, rule, version.preconditions) ??
    tooDeep(check, depth) ??
    tooRude(check, rude);
  const shownBy = instead ? [] : occasionsOf(check, version.preconditions);
  return { ...place, ...(instead && { instead }), ...(shownBy.length && { shownBy }) };
}

const cardless = (check: Check, { card }: VersionToPlan): Finding | undefined =>
  check.kind === "card" && !card ? notApplicable("there is no card for clients of this version") : undefined;

function unmetBy(check: Check, rule: Rule, preconditions: Preconditions): Finding | undefined {
  const requires = check.requires ?? rule.requires;
  // What only judges the calls of others needs no message of its own.
  if (check.kind !== "active")
    return unmetPrecondition(
      requires.filter((need) => !need.startsWith("scenario:")),
      preconditions,
    );
  const kinds = neededBy(check).flatMap(({ prompts }) => prompts ?? []);
  return unmetPrecondition(requires, preconditions) ?? promptMissing(kinds, preconditions.stimuli);
}

/** A rule that the text in question did not have. */
function notYet(rule: Rule, { ruleSet, preconditions }: VersionToPlan): Finding | undefined {
  if (!isIn(rule, ruleSet)) return notApplicable(`the rule is no part of ${ruleSet}`);
  const { since } = rule;
  const { release, dialect } = preconditions.facts;
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

/** The observations that a check cannot do without, and all that they rest on. */
const neededBy = (check: Check): Observation<unknown>[] =>
  check.kind === "active" ? allNeeded(Object.values(check.uses)) : [];

const allNeeded = (observations: readonly Observation<unknown>[]): Observation<unknown>[] => {
  const all = new Set<Observation<unknown>>();
  for (const one of observations) withNeeds(one, all);
  return [...all];
};

/** What a check would have made without depending on it, as far as we know what to say for it. */
function occasionsOf(check: Check, { stimuli }: Preconditions): readonly Observation<unknown>[] {
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

const wantedBy = ({ check, on, version, instead, shownBy = [] }: PlannedCheck) =>
  !on || instead
    ? []
    : [...neededBy(check), ...allNeeded(shownBy)].map((observation) => ({
        observation,
        on,
        declared: version.declared,
      }));

const isGranted = ({ check, on }: PlannedCheck, granted: Grant): boolean =>
  !on || neededBy(check).every((one) => granted.allows(one, on));

/** What is only an occasion is given up for want of messages, and the check is made without it. */
function onlyGranted(entry: PlannedCheck, granted: Grant): PlannedCheck {
  const { on, shownBy } = entry;
  return on && shownBy ? { ...entry, shownBy: shownBy.filter((one) => granted.allows(one, on)) } : entry;
}

function leftOut(entry: PlannedCheck, depth: Depth, budget: number | undefined): PlannedCheck {
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

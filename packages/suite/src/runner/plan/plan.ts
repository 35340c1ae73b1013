import type { DialectVersion } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { Check, FetchedCard } from "../../define/check.ts";
import { type Finding, notApplicable, notExamined } from "../../define/finding.ts";
import { type Observation, withNeeds } from "../../define/observation.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import { type Depth, depths } from "../../report/events.ts";
import { concerns, isIn, type RuleSet, ruleIn } from "../../rules/catalogue.ts";
import type { Rule } from "../../rules/rule.ts";
import { isDraft } from "../../rules/rule-sets.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";
import { type Preconditions, promptMissing, unmetPrecondition } from "./applicability.ts";
import type { Allowance } from "./budget.ts";
import { fullMessagesPerInterface, type Grant, grant, type Limits, type WantedObservation } from "./grant.ts";

/** An agent in one protocol version, as far as planning needs it. */
export interface VersionToPlan {
  readonly interfaces: readonly PeerInterface[];
  readonly preconditions: Preconditions;
  readonly ruleSet: RuleSet;
  /** the card for clients of that version */
  readonly card: FetchedCard | undefined;
  /** the agent declares the version */
  readonly declared: boolean;
}

/** One check on one interface or on the whole agent, or the reason why it does not run. */
export interface PlannedCheck {
  readonly check: Check;
  readonly version: VersionToPlan;
  readonly on?: PeerInterface;
  /** the check will not run: report this instead */
  readonly instead?: Finding;
  /** an earlier part of the run has examined it */
  readonly finished?: true;
  /** a filter excluded it, and the rule would not apply anyway */
  readonly unconcerned?: true;
  /** for a passive check: observations that make calls it can judge; for an active one: optional observations */
  readonly shownBy?: readonly Observation<unknown>[];
}

export interface Plan {
  readonly checks: readonly PlannedCheck[];
  readonly allowance: Allowance;
}

export interface PlanInput {
  /** the selected checks */
  readonly checks: readonly Check[];
  /** the checks that a filter excluded */
  readonly filtered: readonly Check[];
  /** one per tested protocol version */
  readonly versions: readonly VersionToPlan[];
  readonly depth: Depth;
  readonly budget: number | undefined;
  readonly rude: boolean;
  /** addresses that accepted the version probe as a message */
  readonly acceptedAt?: readonly string[];
  /** returns true if an earlier part of the run has examined it */
  readonly isFinished?: (place: Pick<PlannedCheck, "check" | "version" | "on">) => boolean;
  /** messages reserved for learning which prompt triggers a behaviour */
  readonly trials?: number;
  /** the state after an earlier part of the run */
  readonly soFar?: SoFar;
}

/** The state of the message budget before this plan. */
export interface SoFar {
  /** the announced number of messages */
  readonly announced: number;
  readonly spent: number;
  /** the keys of the observations already made, which are free now */
  readonly made: ReadonlySet<string>;
}

/** Decides before the first request which checks run where, and which observations they may use. */
export function planRun({ checks, filtered, versions, depth, budget, rude, ...before }: PlanInput): Plan {
  const { acceptedAt = [], trials = 0, soFar, isFinished = () => false } = before;
  const entries = versions
    .flatMap((version) => checks.flatMap((check) => placesOf(check, version)))
    .map((place) => (isFinished(place) ? finishedEntry(place) : entryFor(place, rude)));
  const wanted = distinct(entries.flatMap(wantedBy));
  // The first contact may also have to send something.
  const attempts = entries.some(({ check, instead, finished }) => check.kind !== "card" && !instead && !finished);
  const interfaces = versions.flatMap((version) => version.interfaces);
  const inDraft = versions.reduce((sum, { ruleSet, interfaces: own }) => sum + (isDraft(ruleSet) ? own.length : 0), 0);
  const made = soFar?.made ?? new Set<string>();
  const grantFor = (limits: Pick<Limits, "depth" | "budget" | "announced">) =>
    grant(wanted, {
      interfaces,
      inDraft,
      attempts,
      taken: (soFar?.spent ?? acceptedAt.length) + trials,
      made,
      ...limits,
    });
  const granted = grantFor({ depth, budget, announced: soFar?.announced });
  const wider = widerGrants(depth, budget, grantFor);
  const { messages, kept, again, mayAccept } = granted;
  const spare = Math.max(granted.reserve, mayAccept.length);
  return {
    checks: [
      ...entries.map((entry) =>
        entry.instead || entry.finished || (isAsked(entry, depth) && isGranted(entry, granted))
          ? onlyGranted(entry, granted)
          : leftOut(entry, depth, budget, wider),
      ),
      ...versions.flatMap((version) =>
        filtered.flatMap((check) =>
          placesOf(check, version).map(({ rule, ...place }) => ({
            ...place,
            instead: notExamined("filter", "excluded by --only or --skip"),
            ...(!concerned({ rule, ...place }) && { unconcerned: true as const }),
          })),
        ),
      ),
    ],
    allowance: {
      messages,
      kept,
      again,
      mayAccept,
      acceptedAt,
      ...(soFar && { spent: soFar.spent }),
      more: wider.find(({ grant: more }) => more.reserve > spare)?.flag,
    },
  };
}

/** A flag that would allow a run to send more. */
interface WiderGrant {
  readonly flag: string;
  readonly limits: Pick<Limits, "depth" | "budget">;
  readonly grant: Grant;
}

/** Returns the flags that allow more messages, cheapest first: a greater depth, a larger budget, or both. */
function widerGrants(
  depth: Depth,
  budget: number | undefined,
  grantFor: (limits: WiderGrant["limits"]) => Grant,
): WiderGrant[] {
  const deeper = depths.slice(depths.indexOf(depth) + 1);
  const byDepth = deeper.map((each) => ({ flag: `--depth ${each}`, limits: { depth: each, budget } }));
  const byBudget = [depth, ...deeper].map((each) => {
    const limits = { depth: each, budget: undefined };
    const enough = `--budget ${grantFor(limits).messages}`;
    return { flag: each === depth ? enough : `--depth ${each} ${enough}`, limits };
  });
  return [...byDepth, ...(budget === undefined ? [] : byBudget)].map((wider) => ({
    ...wider,
    grant: grantFor(wider.limits),
  }));
}

/** Returns true if a rule concerns the agent, examined or not. */
export const isConcerned = ({ instead, unconcerned }: PlannedCheck): boolean =>
  !unconcerned && instead?.is !== "not-applicable";

const concerned = ({ check, version, rule }: CheckPlace): boolean =>
  ![cardless(check, version), notYet(rule, version), unmetBy(check, rule, version.preconditions)].some(
    (reason) => reason?.is === "not-applicable",
  );

/** The place of a check. */
interface CheckPlace {
  readonly check: Check;
  readonly version: VersionToPlan;
  readonly rule: Rule;
  readonly on?: PeerInterface;
}

/** Returns one place for the card, or each interface that the rule concerns, or none in a version without the rule. */
function placesOf(check: Check, version: VersionToPlan): CheckPlace[] {
  const rule = ruleIn(version.preconditions.facts.dialect, check.id);
  // A report of released rules does not mention those of a draft.
  if (!rule || (isDraft(rule.since) && !isIn(rule, version.ruleSet))) return [];
  if (check.kind === "card") return [{ check, version, rule }];
  const fitting = version.interfaces.filter(
    ({ binding }) => concerns(rule, binding) && (check.bindings?.includes(binding) ?? true),
  );
  const interfaces = check.kind === "active" && check.once ? fitting.slice(0, 1) : fitting;
  return interfaces.map((on) => ({ check, version, rule, on }));
}

const finishedEntry = ({ rule: _, ...place }: CheckPlace): PlannedCheck => ({ ...place, finished: true });

function entryFor({ rule, ...place }: CheckPlace, rude: boolean): PlannedCheck {
  const { check, version } = place;
  const instead =
    cardless(check, version) ??
    notYet(rule, version) ??
    unmetBy(check, rule, version.preconditions) ??
    tooRude(check, rude);
  const isFirst = place.on === version.interfaces[0];
  const shownBy = instead ? [] : occasionsOf(check, version.preconditions).filter(({ once }) => isFirst || !once);
  return { ...place, ...(instead && { instead }), ...(shownBy.length && { shownBy }) };
}

const cardless = (check: Check, { card }: VersionToPlan): Finding | undefined =>
  check.kind === "card" && !card ? notApplicable("the agent has no card for clients of this version") : undefined;

function unmetBy(check: Check, rule: Rule, preconditions: Preconditions): Finding | undefined {
  const needs = neededBy(check).flatMap(({ prompts }) => prompts ?? []);
  return (
    unmetPrecondition(check.requires ?? rule.requires, preconditions) ?? promptMissing(needs, preconditions.stimuli)
  );
}

/** Returns why a rule is not part of the judged text. */
function notYet(rule: Rule, { ruleSet, preconditions }: VersionToPlan): Finding | undefined {
  if (!isIn(rule, ruleSet)) return notApplicable(`the rule is not part of ${ruleSet}`);
  const { since } = rule;
  const { release, dialect } = preconditions.facts;
  // Releases of 0.2 name themselves from 0.2.5 on.
  if (dialect !== "0.2" || since === undefined || (release !== undefined && release >= since)) return undefined;
  return notApplicable(`the rule exists since ${since}, and the card declares ${release ?? "no release"}`);
}

const tooRude = (check: Check, rude: boolean): Finding | undefined =>
  check.kind === "active" && check.rude && !rude
    ? notExamined("rude", "could harm the agent, so Assay did not try it", "--rude")
    : undefined;

/** Returns the observations that a check needs, with their dependencies. */
const neededBy = (check: Check): Observation<unknown>[] =>
  check.kind === "active" ? allNeeded(Object.values(check.uses)) : [];

const allNeeded = (observations: readonly Observation<unknown>[]): Observation<unknown>[] => {
  const all = new Set<Observation<unknown>>();
  for (const one of observations) withNeeds(one, all);
  return [...all];
};

/**
 * Returns the behaviours that the planned observations need and that no known prompt triggers, including better ones
 * than those known.
 */
export function missingIn({ checks }: Plan, dialect: DialectVersion, stimuli: Stimuli): readonly PromptKind[] {
  const made = checks
    .filter(
      ({ version, instead, finished }) => version.preconditions.facts.dialect === dialect && !instead && !finished,
    )
    .flatMap(({ check, shownBy = [] }) => [...neededBy(check), ...allNeeded(shownBy)]);
  const isKnown = (kind: PromptKind): boolean => stimuli[kind] !== undefined;
  const better = made.flatMap(({ prompts = [] }) =>
    prompts.flatMap((need) => {
      const ways = [need].flat();
      return ways.slice(0, ways.some(isKnown) ? ways.findIndex(isKnown) : ways.length);
    }),
  );
  return [...new Set(better)];
}

/** Returns the optional observations of a check for which a prompt is known. */
function occasionsOf(check: Check, { stimuli, options }: Preconditions): readonly Observation<unknown>[] {
  if (check.kind === "card") return [];
  const wished = check.kind === "passive" ? (check.shownBy ?? []) : Object.values(check.also ?? {});
  return wished.filter(
    (one) =>
      (!one.contacts || options.rude) &&
      !promptMissing(
        [...withNeeds(one)].flatMap(({ prompts }) => prompts ?? []),
        stimuli,
      ),
  );
}

const wantedBy = ({ check, on, version, instead, finished, shownBy = [] }: PlannedCheck) =>
  !on || instead || finished
    ? []
    : [...neededBy(check), ...allNeeded(shownBy)].map((observation) => ({
        observation,
        on,
        isKnown: (kind: PromptKind) => version.preconditions.stimuli[kind] !== undefined,
        declared: version.declared,
      }));

/** Many checks want the same observations. */
function distinct(wanted: readonly WantedObservation[]): WantedObservation[] {
  const seen = new Map(wanted.map(({ on }) => [on, new Set<Observation<unknown>>()]));
  return wanted.filter(({ observation, on }) => {
    const there = seen.get(on)!;
    return there.size < there.add(observation).size;
  });
}

/** At depth card, Assay requests only the card. */
const isAsked = ({ check }: PlannedCheck, depth: Depth): boolean => depth !== "card" || check.kind === "card";

const isGranted = ({ check, on }: PlannedCheck, granted: Grant): boolean =>
  !on || neededBy(check).every((one) => granted.allows(one, on));

/** Returns true if a check would have something to judge. A passive check depends on the messages of others. */
const shows = (entry: PlannedCheck, granted: Grant): boolean =>
  isGranted(entry, granted) &&
  (entry.check.kind !== "passive" ||
    (granted.messages > 0 && (!entry.shownBy || entry.shownBy.some((one) => granted.allows(one, entry.on!)))));

/** Drops optional observations without messages and keeps the check. */
function onlyGranted(entry: PlannedCheck, granted: Grant): PlannedCheck {
  const { on, shownBy } = entry;
  return on && shownBy ? { ...entry, shownBy: shownBy.filter((one) => granted.allows(one, on)) } : entry;
}

/** Explains why a check does not run, and which flag would enable it. */
function leftOut(
  entry: PlannedCheck,
  depth: Depth,
  budget: number | undefined,
  wider: readonly WiderGrant[],
): PlannedCheck {
  const sufficient = wider.find(({ limits, grant: more }) => isAsked(entry, limits.depth) && shows(entry, more));
  const enable = sufficient?.flag;
  const instead =
    depth === "card"
      ? notExamined("depth", "the run reads only the card", enable)
      : sufficient && sufficient.limits.depth === depth
        ? notExamined("budget", `needs more messages than --budget ${budget} allows`, enable)
        : depth === "full"
          ? notExamined(
              "budget",
              `needs more than the ${fullMessagesPerInterface} messages that a run sends to one interface`,
            )
          : notExamined("depth", `needs more messages than --depth ${depth} allows`, enable);
  const { shownBy: _, ...place } = entry;
  return { ...place, instead };
}

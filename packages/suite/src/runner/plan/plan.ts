import type { DialectVersion } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { Check, FetchedCard } from "../../define/check.ts";
import { type Finding, notApplicable, notExamined } from "../../define/finding.ts";
import { type Observation, withNeeds } from "../../define/observation.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import { type Depth, depths } from "../../report/events.ts";
import { concerns, isIn, type RuleSet, ruleIn } from "../../rules/catalogue.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";
import { type Preconditions, promptMissing, unmetPrecondition } from "./applicability.ts";
import type { Allowance } from "./budget.ts";
import { fullMessagesPerInterface, type Grant, grant, type Limits } from "./grant.ts";

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
  /** an earlier part of the run has examined it */
  readonly finished?: true;
  /** a filter left it out, and the rule would not concern the agent anyhow */
  readonly unconcerned?: true;
  /** for a passive check: what is made so that there are calls it can judge; for an active one, what it may see besides */
  readonly shownBy?: readonly Observation<unknown>[];
}

export interface Plan {
  readonly checks: readonly PlannedCheck[];
  readonly allowance: Allowance;
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
  /** addresses where asking for versions was taken for a message */
  readonly acceptedAt?: readonly string[];
  /** whether an earlier part of the run has examined it */
  readonly isFinished?: (place: Pick<PlannedCheck, "check" | "version" | "on">) => boolean;
  /** messages to keep for finding out what brings a behaviour about */
  readonly trials?: number;
  /** where a part of the run is over: what it came to */
  readonly soFar?: SoFar;
}

/** What a run has spent before this plan, and what it has for it. */
export interface SoFar {
  /** the number of messages that was announced */
  readonly announced: number;
  readonly spent: number;
  /** the observations that were made, by their key: they cost nothing any more */
  readonly made: ReadonlySet<string>;
}

/** Decides what will be asked, before anything is: which checks run where, and which observations they may have. */
export function planRun({ checks, filtered, versions, depth, budget, rude, ...before }: PlanInput): Plan {
  const { acceptedAt = [], trials = 0, soFar, isFinished = () => false } = before;
  const entries = versions
    .flatMap((version) => checks.flatMap((check) => placesOf(check, version)))
    .map((place) => (isFinished(place) ? finishedEntry(place) : entryFor(place, rude)));
  const wanted = entries.flatMap(wantedBy);
  // The first contact may have to send something, too.
  const attempts = entries.some(({ check, instead, finished }) => check.kind !== "card" && !instead && !finished);
  const interfaces = versions.flatMap((version) => version.interfaces);
  const made = soFar?.made ?? new Set<string>();
  const grantFor = (limits: Pick<Limits, "depth" | "budget" | "announced">) =>
    grant(wanted, { interfaces, attempts, taken: (soFar?.spent ?? acceptedAt.length) + trials, made, ...limits });
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
            instead: notExamined("filter", "left out by --only or --skip"),
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

/** What a run could have asked for under another flag. */
interface WiderGrant {
  readonly flag: string;
  readonly limits: Pick<Limits, "depth" | "budget">;
  readonly grant: Grant;
}

/** The flags that allow more messages, the cheapest first: a greater depth, a larger budget, both. */
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
  check.kind === "card" && !card ? notApplicable("there is no card for clients of this version") : undefined;

function unmetBy(check: Check, rule: Rule, preconditions: Preconditions): Finding | undefined {
  const needs = neededBy(check).flatMap(({ prompts }) => prompts ?? []);
  return (
    unmetPrecondition(check.requires ?? rule.requires, preconditions) ?? promptMissing(needs, preconditions.stimuli)
  );
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

/** The behaviours that the observations of a plan want and that no prompt is known for, better ones than those known included. */
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

/** What a check would have made without depending on it, as far as we know what to say for it. */
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

/** At depth card nothing is asked but for the card. */
const isAsked = ({ check }: PlannedCheck, depth: Depth): boolean => depth !== "card" || check.kind === "card";

const isGranted = ({ check, on }: PlannedCheck, granted: Grant): boolean =>
  !on || neededBy(check).every((one) => granted.allows(one, on));

/** Whether a check would have something to judge: a passive one lives on the messages of others. */
const shows = (entry: PlannedCheck, granted: Grant): boolean =>
  isGranted(entry, granted) &&
  (entry.check.kind !== "passive" ||
    (granted.messages > 0 && (!entry.shownBy || entry.shownBy.some((one) => granted.allows(one, entry.on!)))));

/** What is only an occasion is given up for want of messages, and the check is made without it. */
function onlyGranted(entry: PlannedCheck, granted: Grant): PlannedCheck {
  const { on, shownBy } = entry;
  return on && shownBy ? { ...entry, shownBy: shownBy.filter((one) => granted.allows(one, on)) } : entry;
}

/** Why a check is not made, and the flag with which it would be, if there is one. */
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
      ? notExamined("depth", "only the card was looked at", enable)
      : sufficient && sufficient.limits.depth === depth
        ? notExamined("budget", `needs more messages than --budget ${budget} allows`, enable)
        : depth === "full"
          ? notExamined(
              "budget",
              `needs more than the ${fullMessagesPerInterface} messages that a run sends to an interface`,
            )
          : notExamined("depth", `needs more messages than --depth ${depth} allows`, enable);
  const { shownBy: _, ...place } = entry;
  return { ...place, instead };
}

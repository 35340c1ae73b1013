import type { PeerInterface } from "@assay/wire";
import { costOf, type Observation, withNeeds } from "../../define/observation.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { Depth } from "../../report/events.ts";
import type { Allowance } from "./budget.ts";

export const quickMessages = 8;
export const fullMessagesPerInterface = 40;
/** The rules of a draft get messages of their own, so that they take none from the released rules. */
const draftMessagesPerInterface = 8;
/** At full depth, Assay shows the faults of an agent that accepts malformed messages one by one, on each interface. */
const fullAttemptsPerInterface = 8;

/** An observation on an interface that a check needs or can use. */
export interface WantedObservation {
  readonly observation: Observation<unknown>;
  readonly on: PeerInterface;
  /** returns true if a behaviour can be triggered there */
  readonly isKnown: (kind: PromptKind) => boolean;
  /** the agent declares the version of the interface */
  readonly declared: boolean;
}

/** The limits: the depth, the operator's budget, and the interfaces. */
export interface Limits {
  readonly depth: Depth;
  readonly budget: number | undefined;
  readonly interfaces: readonly PeerInterface[];
  /** the number of interfaces that are also tested by the rules of a draft */
  readonly inDraft?: number;
  /** some checks send messages that the agent should reject */
  readonly attempts: boolean;
  /** messages already used, for example while asking for versions, or reserved for other purposes */
  readonly taken: number;
  /** the keys of the observations already made */
  readonly made?: ReadonlySet<string>;
  /** the number announced before, which is never exceeded */
  readonly announced?: number | undefined;
}

/** The observations that may be made, and the number of messages for everything. */
export interface Grant extends Required<Pick<Allowance, "messages" | "kept" | "again" | "mayAccept">> {
  /** the part of the messages for retries and accepted malformed ones */
  readonly reserve: number;
  /** Returns true if an observation and its dependencies may be made on an interface. */
  allows(observation: Observation<unknown>, on: PeerInterface): boolean;
}

/**
 * Spends the available messages on the most important observations, on all interfaces before the next. Keeps a reserve
 * for retries and for malformed messages that the agent accepts.
 */
export function grant(
  wanted: readonly WantedObservation[],
  {
    depth,
    budget,
    interfaces,
    inDraft = 0,
    attempts,
    taken,
    made = new Set(),
    announced = Number.POSITIVE_INFINITY,
  }: Limits,
): Grant {
  const known = new Map(wanted.map(({ on, isKnown }) => [on, isKnown]));
  const costs = new Map<PeerInterface, Map<Observation<unknown>, number>>(interfaces.map((on) => [on, new Map()]));
  const cost = (one: Observation<unknown>, on: PeerInterface): number => {
    const there = costs.get(on);
    const seen = there?.get(one);
    if (seen !== undefined) return seen;
    const now = made.has(observationKey(one, on)) ? 0 : costOf(one, known.get(on) ?? (() => false));
    there?.set(one, now);
    return now;
  };
  const costly = new Map<string, WantedObservation>();
  for (const each of wanted) {
    const { observation, on } = each;
    const key = observationKey(observation, on);
    if (cost(observation, on) > 0 && !costly.has(key)) costly.set(key, each);
  }
  const full = fullMessagesPerInterface * interfaces.length + draftMessagesPerInterface * inDraft;
  const most = depth === "quick" ? quickMessages : depth === "full" ? full : 0;
  const cap = Math.max(0, Math.min(most, budget ?? most, announced) - taken);
  const reserve = Math.min(Math.ceil(cap / (depth === "full" ? 16 : 8)), 8);
  const kept = new Map<string, number>();
  const isCovered = (need: Observation<unknown>, on: PeerInterface): boolean =>
    cost(need, on) === 0 || kept.has(observationKey(need, on));
  let spent = 0;
  for (const { observation, on } of inTurn([...costly.values()])) {
    // An observation is useless without those that it needs.
    const needs = [...withNeeds(observation)].filter((need) => !isCovered(need, on));
    const price = needs.reduce((sum, need) => sum + cost(need, on), 0);
    if (spent + price > cap - (cap > 1 ? reserve : 0)) continue;
    for (const need of needs) kept.set(observationKey(need, on), cost(need, on));
    spent += price;
  }
  const allows: Grant["allows"] = (observation, on) => [...withNeeds(observation)].every((need) => isCovered(need, on));
  const granted = inTurn(wanted.filter(({ observation, on }) => allows(observation, on)));
  // An observation without messages of its own shows nothing without a granted one, so it comes first.
  const inNeed = granted.toSorted((a, b) => cost(a.observation, a.on) - cost(b.observation, b.on));
  const forAttempts = depth === "full" && attempts ? fullAttemptsPerInterface * interfaces.length : 0;
  const again = dealt(inNeed, spent > 0 ? cap - spent - reserve - forAttempts : 0);
  const forAgain = [...again.values()].reduce((sum, each) => sum + each, 0);
  const left = spent > 0 || attempts ? Math.min(cap - spent - forAgain, reserve + forAttempts) : 0;
  return {
    messages: most > 0 ? taken + spent + left + forAgain : 0,
    reserve: left,
    kept,
    again,
    mayAccept: depth === "free" && attempts ? interfaces.slice(0, budget) : [],
    allows,
  };
}

/** Undeclared versions get the rest. Otherwise the most important comes first, in plan order. */
const inTurn = (wanted: readonly WantedObservation[]): WantedObservation[] =>
  wanted.toSorted((a, b) => Number(b.declared) - Number(a.declared) || rankOf(a) - rankOf(b));

/** Distributes retry messages one at a time. The share of each observation depends only on the plan. */
function dealt(wanted: readonly WantedObservation[], messages: number): Map<string, number> {
  const all = new Map<string, number>();
  const each = new Map(wanted.map((one) => [observationKey(one.observation, one.on), one.observation.again ?? 0]));
  let left = messages;
  for (let round = 1; left > 0 && [...each.values()].some((again) => again >= round); round++) {
    for (const [key, again] of each) {
      if (again < round || left <= 0) continue;
      all.set(key, round);
      left -= 1;
    }
  }
  return all;
}

const rankOf = ({ observation }: WantedObservation): number => observation.rank ?? 5;

/** Identifies an interface for counting, independent of the tenant. */
export const interfaceKey = ({ binding, dialect, url }: PeerInterface): string => `${binding} ${dialect} ${url}`;

/** Identifies an observation on an interface for counting. */
export const observationKey = ({ name }: Pick<Observation<unknown>, "name">, on: PeerInterface): string =>
  `${name} @ ${interfaceKey(on)}`;

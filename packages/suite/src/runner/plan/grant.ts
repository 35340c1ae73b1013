import type { PeerInterface } from "@assay/wire";
import { costOf, type Observation, withNeeds } from "../../define/observation.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { Depth } from "../../report/events.ts";
import type { Allowance } from "./budget.ts";

export const quickMessages = 8;
export const fullMessagesPerInterface = 40;
/** At full depth the faults of an agent that accepts malformed messages are shown one by one, on each interface. */
const fullAttemptsPerInterface = 8;

/** An observation on an interface that a check needs or would look at. */
export interface WantedObservation {
  readonly observation: Observation<unknown>;
  readonly on: PeerInterface;
  /** whether a behaviour can be brought about there */
  readonly isKnown: (kind: PromptKind) => boolean;
  /** the agent claims to speak the version of the interface */
  readonly declared: boolean;
}

/** What may be asked: the depth, the operator's own limit, and where. */
export interface Limits {
  readonly depth: Depth;
  readonly budget: number | undefined;
  readonly interfaces: readonly PeerInterface[];
  /** there are checks that send what the agent should refuse */
  readonly attempts: boolean;
  /** messages that the agent took already, as while it was asked for its versions, or that are meant for something else */
  readonly taken: number;
  /** observations that were made already, by their key */
  readonly made?: ReadonlySet<string>;
  /** what was announced before; nothing is sent beyond it */
  readonly announced?: number | undefined;
}

/** Which observations may be made, and how many messages may be sent for all that is asked. */
export interface Grant extends Required<Pick<Allowance, "messages" | "kept" | "again" | "mayAccept">> {
  /** of the messages, what is for retries and for malformed ones that are accepted */
  readonly reserve: number;
  /** Whether an observation may be made on an interface: it, and all that it rests on. */
  allows(observation: Observation<unknown>, on: PeerInterface): boolean;
}

/**
 * Spends the messages there are on the observations that matter most, on all interfaces before the next. A part is kept
 * back for asking again when the agent is pressed or breaks down for once, and for malformed messages that it accepts.
 */
export function grant(
  wanted: readonly WantedObservation[],
  { depth, budget, interfaces, attempts, taken, made = new Set(), announced = Number.POSITIVE_INFINITY }: Limits,
): Grant {
  const known = new Map(wanted.map(({ on, isKnown }) => [on, isKnown]));
  const cost = (one: Observation<unknown>, on: PeerInterface): number =>
    made.has(observationKey(one, on)) ? 0 : costOf(one, known.get(on) ?? (() => false));
  const costly = new Map<string, WantedObservation>();
  for (const each of wanted) {
    const { observation, on } = each;
    const key = observationKey(observation, on);
    if (cost(observation, on) > 0 && !costly.has(key)) costly.set(key, each);
  }
  const most = depth === "quick" ? quickMessages : depth === "full" ? fullMessagesPerInterface * interfaces.length : 0;
  const cap = Math.max(0, Math.min(most, budget ?? most, announced) - taken);
  const reserve = Math.min(Math.ceil(cap / (depth === "full" ? 16 : 8)), 8);
  const kept = new Map<string, number>();
  const isCovered = (need: Observation<unknown>, on: PeerInterface): boolean =>
    cost(need, on) === 0 || kept.has(observationKey(need, on));
  let spent = 0;
  for (const { observation, on } of inTurn([...costly.values()])) {
    // One that rests on another is worth nothing without it.
    const needs = [...withNeeds(observation)].filter((need) => !isCovered(need, on));
    const price = needs.reduce((sum, need) => sum + cost(need, on), 0);
    if (spent + price > cap - (cap > 1 ? reserve : 0)) continue;
    for (const need of needs) kept.set(observationKey(need, on), cost(need, on));
    spent += price;
  }
  const allows: Grant["allows"] = (observation, on) => [...withNeeds(observation)].every((need) => isCovered(need, on));
  const granted = inTurn(wanted.filter(({ observation, on }) => allows(observation, on)));
  // One that has no message of its own shows nothing without one, so it comes first.
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

/** What the agent never claimed gets what is left over; else what matters most comes first, in the order of the plan. */
const inTurn = (wanted: readonly WantedObservation[]): WantedObservation[] =>
  wanted.toSorted((a, b) => Number(b.declared) - Number(a.declared) || rankOf(a) - rankOf(b));

/** Deals out messages for trying again, one at a time: how many each observation gets depends on the plan alone. */
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

/** An interface, as messages are counted there: whatever the tenant. */
export const interfaceKey = ({ binding, dialect, url }: PeerInterface): string => `${binding} ${dialect} ${url}`;

/** An observation on an interface, as it is counted. */
export const observationKey = ({ name }: Pick<Observation<unknown>, "name">, on: PeerInterface): string =>
  `${name} @ ${interfaceKey(on)}`;

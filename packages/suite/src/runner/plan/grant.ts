import type { PeerInterface } from "@assay/wire";
import { type Observation, withNeeds } from "../../observation.ts";
import type { Depth } from "../../report/events.ts";

const quickMessages = 8;
export const fullMessagesPerInterface = 40;

/** An observation on an interface that a check needs or would look at. */
export interface WantedObservation {
  readonly observation: Observation<unknown>;
  readonly on: PeerInterface;
  /** the agent claims to speak the version of the interface */
  readonly declared: boolean;
}

/** Which observations may be made, and how many messages may make the agent work, retries included. */
export interface Grant {
  readonly messages: number;
  /** Whether an observation may be made on an interface: it, and all that it rests on. */
  allows(observation: Observation<unknown>, on: PeerInterface): boolean;
}

/**
 * Spends the messages there are on the observations that matter most, on all interfaces before the next. A part is kept
 * back for asking again when the agent is pressed or breaks down for once.
 */
export function grant(
  wanted: readonly WantedObservation[],
  { depth, budget, interfaces }: { depth: Depth; budget: number | undefined; interfaces: number },
): Grant {
  const costly = new Map<string, WantedObservation>();
  for (const each of wanted) {
    const { observation, on } = each;
    if (observation.messages > 0 && !costly.has(key(observation, on))) costly.set(key(observation, on), each);
  }
  const most = depth === "quick" ? quickMessages : depth === "full" ? fullMessagesPerInterface * interfaces : 0;
  const cap = Math.min(most, budget ?? most);
  const reserve = Math.min(Math.ceil(cap / 8), 8);
  const granted = new Set<string>();
  let spent = 0;
  // What the agent never claimed gets what is left over.
  const inTurn = [...costly.values()].toSorted(
    (a, b) => Number(b.declared) - Number(a.declared) || rankOf(a) - rankOf(b),
  );
  for (const { observation, on } of inTurn) {
    // One that rests on another is worth nothing without it.
    const needs = [...withNeeds(observation)].filter((need) => need.messages > 0 && !granted.has(key(need, on)));
    const cost = needs.reduce((sum, need) => sum + need.messages, 0);
    if (spent + cost > cap - (cap > 1 ? reserve : 0)) continue;
    for (const need of needs) granted.add(key(need, on));
    spent += cost;
  }
  return {
    messages: spent === 0 ? 0 : Math.min(cap, spent + reserve),
    allows: (observation, on) =>
      [...withNeeds(observation)].every((need) => need.messages === 0 || granted.has(key(need, on))),
  };
}

const rankOf = ({ observation }: WantedObservation): number => observation.rank ?? 5;

/** An observation on an interface, as it is counted. */
const key = ({ name }: Observation<unknown>, on: PeerInterface): string =>
  `${name} @ ${on.binding} ${on.dialect} ${on.url}`;

import type { Binding, JsonObject } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { Requirement } from "../generated/requires.ts";
import type { Call } from "./call.ts";
import type { Expectations } from "./expectations.ts";
import { type Finding, foundIn } from "./finding.ts";
import type { Observation } from "./observation.ts";
import type { Target } from "./target.ts";

/** The part that all checks have in common. Title and remedy are in the catalogue, in the row of the rule. */
export interface Declaration {
  /** the rule it proves or refutes */
  readonly id: string;
  /** where it narrows the bindings that the rule names: what cannot be seen elsewhere */
  readonly bindings?: readonly Binding[];
  /** preconditions, where they differ from those the rule names (see applicability.ts) */
  readonly requires?: readonly Requirement[];
}

/** The card as it came, and what we read in it. */
export interface FetchedCard {
  readonly exchange: Exchange;
  readonly url: string;
  readonly json: JsonObject;
  readonly facts: AgentFacts;
  /** found at the address the user gave for it, not by looking where cards are */
  readonly given: boolean;
  /** the operator calls it a production deployment */
  readonly production: boolean;
  /** what the operator knows about the agent */
  readonly expectations?: Expectations;
}

/** What a check found; of several findings the gravest decides. */
export type Findings = Finding | readonly Finding[];

/** A pure function of the card. */
export interface CardCheck extends Declaration {
  readonly kind: "card";
  readonly judge: (card: FetchedCard) => Findings;
}

/**
 * A pure function of one call, whatever it was made for: the proxy and the tester of clients use the very same. It says
 * nothing about an exchange that gives no occasion.
 */
export interface PassiveCheck extends Declaration {
  readonly kind: "passive";
  /** observations that show it, made for its sake too: so that it sees something when it is asked for alone */
  readonly shownBy?: readonly Observation<unknown>[];
  /** where nothing gives occasion however much is asked: why the rule does not concern the agent, or `noTaskSeen` */
  readonly otherwise?: string | typeof noTaskSeen;
  /** an answer after which the breaches that it saw prove nothing, whenever it comes: why */
  readonly excusedBy?: (call: Call) => string | undefined;
  /** `sent`: the ids of the messages that the client has sent so far, where they are known */
  readonly judge: (call: Call, sent?: ReadonlySet<string>) => Findings | undefined;
}

/** The rule needs a task. Another prompt may bring one about. */
export const noTaskSeen = { needs: "task" } as const;

type Uses = Readonly<Record<string, Observation<unknown>>>;

export type Seen<U extends Uses> = {
  readonly [K in keyof U]: U[K] extends Observation<infer T> ? T : never;
};

/** Looks at observations, each made once for all that need it, and may ask some more that is no message. */
export interface ActiveCheck<U extends Uses = Uses, A extends Uses = Uses> extends Declaration {
  readonly kind: "active";
  /** what it judges; messages are sent only there */
  readonly uses: U;
  /** what it judges besides, where that can be made and the messages for it are granted */
  readonly also?: A;
  /** can be judged on an agent that asks for a login that was not given */
  readonly withoutLogin?: true;
  /** could hurt: huge, deep or endless input, floods */
  readonly rude?: true;
  /** once for the agent, on its first interface, instead of once for each */
  readonly once?: true;
  /** behind all others: it reads tasks in a way that on bad servers changes what they keep */
  readonly last?: true;
  // Method syntax, so that a list can hold checks of different observations.
  judge(seen: Seen<U> & Partial<Seen<A>>, target: Target): Findings | Promise<Findings>;
}

export type Check = CardCheck | PassiveCheck | ActiveCheck;

export const cardCheck = (check: Omit<CardCheck, "kind">): CardCheck => ({ kind: "card", ...check });

export const passiveCheck = (check: Omit<PassiveCheck, "kind">): PassiveCheck => ({
  kind: "passive",
  ...check,
  judge: (call, sent) => foundIn(call, check.judge(call, sent)),
});

export const activeCheck = <const U extends Uses, const A extends Uses = Record<never, never>>(
  check: Omit<ActiveCheck<U, A>, "kind">,
): ActiveCheck =>
  // The runner hands every active check just what its `uses` and `also` name.
  ({ kind: "active", ...check }) as unknown as ActiveCheck;

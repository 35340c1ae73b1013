import type { Binding, JsonObject } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { Requirement } from "../generated/requires.ts";
import type { Call } from "./call.ts";
import type { Expectations } from "./expectations.ts";
import { type Finding, foundIn } from "./finding.ts";
import type { Observation } from "./observation.ts";
import type { Target } from "./target.ts";

/** The common members of all checks. Title and remedy are in the catalogue, in the row of the rule. */
export interface Declaration {
  /** the rule it proves or refutes */
  readonly id: string;
  /** narrows the bindings of the rule to those on which the check can see it */
  readonly bindings?: readonly Binding[];
  /** preconditions, if they differ from those of the rule (see applicability.ts) */
  readonly requires?: readonly Requirement[];
}

/** The card as received, and its interpretation. */
export interface FetchedCard {
  readonly exchange: Exchange;
  readonly url: string;
  readonly json: JsonObject;
  readonly facts: AgentFacts;
  /** the user gave the address of the card; Assay did not search for it */
  readonly given: boolean;
  /** the operator declares it a production deployment */
  readonly production: boolean;
  /** facts about the agent that only the operator knows */
  readonly expectations?: Expectations;
}

/** The findings of a check. The most severe one decides. */
export type Findings = Finding | readonly Finding[];

/** A pure function of the card. */
export interface CardCheck extends Declaration {
  readonly kind: "card";
  readonly judge: (card: FetchedCard) => Findings;
}

/**
 * A pure function of one call, made for any purpose. The proxy and the client tester share these checks. Returns
 * nothing for a call that does not trigger the rule.
 */
export interface PassiveCheck extends Declaration {
  readonly kind: "passive";
  /** observations that trigger it; Assay also makes them for this check alone, as with --only */
  readonly shownBy?: readonly Observation<unknown>[];
  /** if nothing can trigger it, the reason why the rule does not concern the agent, or `noTaskSeen` */
  readonly otherwise?: string | typeof noTaskSeen;
  /** returns why earlier and later breaches prove nothing after this response */
  readonly excusedBy?: (call: Call) => string | undefined;
  /** `sent`: the ids of the messages that the client has sent so far, if known */
  readonly judge: (call: Call, sent?: ReadonlySet<string>) => Findings | undefined;
}

/** The rule needs a task. Another prompt may create one. */
export const noTaskSeen = { needs: "task" } as const;

type Uses = Readonly<Record<string, Observation<unknown>>>;

export type Seen<U extends Uses> = {
  readonly [K in keyof U]: U[K] extends Observation<infer T> ? T : never;
};

/** Judges observations that all checks share, and may send further requests that are not messages. */
export interface ActiveCheck<U extends Uses = Uses, A extends Uses = Uses> extends Declaration {
  readonly kind: "active";
  /** the observations that it judges; only observations send messages */
  readonly uses: U;
  /** further observations, judged if they can be made within the message limit */
  readonly also?: A;
  /** can judge an agent that asks for a login without credentials */
  readonly withoutLogin?: true;
  /** could harm the agent: huge, deep or endless input, floods */
  readonly rude?: true;
  /** runs once per agent, on its first interface */
  readonly once?: true;
  /** runs after all others, because its reads change the tasks of faulty servers */
  readonly last?: true;
  /** runs after those, one at a time: it measures response times, which other requests of Assay would change */
  readonly alone?: true;
  // Method syntax lets a list hold checks of different observations.
  judge(seen: Seen<U> & Partial<Seen<A>>, target: Target): Findings | Promise<Findings>;
}

export type Check = CardCheck | PassiveCheck | ActiveCheck;

export const cardCheck = (id: string, check: Omit<CardCheck, "id" | "kind">): CardCheck => ({
  kind: "card",
  id,
  ...check,
});

export const passiveCheck = (id: string, check: Omit<PassiveCheck, "id" | "kind">): PassiveCheck => ({
  kind: "passive",
  id,
  ...check,
  judge: (call, sent) => foundIn(call, check.judge(call, sent)),
});

export const activeCheck = <const U extends Uses, const A extends Uses = Record<never, never>>(
  id: string,
  check: Omit<ActiveCheck<U, A>, "id" | "kind" | "uses"> & { readonly uses?: U },
): ActiveCheck =>
  // The runner passes exactly the observations in `uses` and `also`.
  ({ kind: "active", id, uses: {}, ...check }) as unknown as ActiveCheck;

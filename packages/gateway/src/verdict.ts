import type { Exchange } from "@assay/wire";

/** The effect of a gateway on a property of the traffic. */
export type PropertyVerdict =
  | { readonly is: "preserved" }
  | { readonly is: "changed"; readonly message: string }
  | { readonly is: "broken"; readonly message: string; readonly saw: string; readonly want: string }
  | { readonly is: "not-examined"; readonly because: string };

/** One request as both ends saw it. The gateway may have sent it on several times, or never. */
export interface GatewayCall {
  readonly client: Exchange;
  readonly agent: readonly Exchange[];
}

/** A judgement with the exchanges that prove it. */
export interface ExaminedProperty {
  readonly judgement: PropertyVerdict;
  readonly passages: readonly GatewayCall[];
}

export const preserved: PropertyVerdict = { is: "preserved" };

export const changed = (message: string): PropertyVerdict => ({ is: "changed", message });

export const broken = (message: string, { saw, want }: { saw: string; want: string }): PropertyVerdict => ({
  is: "broken",
  message,
  saw,
  want,
});

export const notExamined = (because: string): PropertyVerdict => ({ is: "not-examined", because });

const ranks = ["broken", "not-examined", "changed", "preserved"] as const;

/** Returns the most severe of several judgements. */
export const worst = (judgements: readonly PropertyVerdict[]): PropertyVerdict =>
  judgements.toSorted((a, b) => ranks.indexOf(a.is) - ranks.indexOf(b.is))[0] ?? preserved;

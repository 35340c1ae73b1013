import type { AnswerPlace } from "@assay/suite/report";
import type { Exchange } from "@assay/wire";

/** The part of a call that a gateway changes, and the place in it. */
export interface ChangedPlace {
  readonly part: "request" | "response";
  readonly header?: string;
  readonly status?: true;
  /** the position in the JSON of the body or of an event */
  readonly place?: AnswerPlace;
}

/** The place that differs at the receiver and at the sender, one line each. */
interface SeenDifference {
  readonly saw: string;
  readonly want: string;
}

/** The effect of a gateway on a property of the traffic. */
export type PropertyVerdict =
  | { readonly is: "preserved" }
  | {
      readonly is: "changed";
      readonly message: string;
      readonly at?: ChangedPlace;
      readonly seen?: SeenDifference;
    }
  | ({ readonly is: "broken"; readonly message: string; readonly at?: ChangedPlace } & SeenDifference)
  | { readonly is: "not-examined"; readonly because: string };

/** One request as both ends saw it. The gateway may have passed it on several times, or never. */
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

export const changed = (message: string, at?: ChangedPlace, seen?: SeenDifference): PropertyVerdict => ({
  is: "changed",
  message,
  ...(at && { at }),
  ...(seen && { seen }),
});

export const broken = (message: string, { saw, want }: SeenDifference, at?: ChangedPlace): PropertyVerdict => ({
  is: "broken",
  message,
  saw,
  want,
  ...(at && { at }),
});

export const notExamined = (because: string): PropertyVerdict => ({ is: "not-examined", because });

const ranks = ["broken", "not-examined", "changed", "preserved"] as const;

/** Returns the most severe of several judgements. */
export const worst = (judgements: readonly PropertyVerdict[]): PropertyVerdict =>
  judgements.toSorted((a, b) => ranks.indexOf(a.is) - ranks.indexOf(b.is))[0] ?? preserved;

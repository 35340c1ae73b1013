import type { TransportTrouble } from "../report/trouble.ts";
import type { Unexamined } from "../report/verdict.ts";
import type { BreachCode } from "../rules/breach-codes.ts";
import type { Evidence, NotExamined } from "./finding.ts";

/**
 * Thrown if an observation cannot be made. All checks that need it get the same result:
 * - `held-up`: the agent is at fault. The named rule fails and blocks all others.
 * - `not-examined` and `not-applicable`: the agent is not at fault. The reason is one of a closed list.
 * - `network`: trouble on Assay's side or on the way.
 */
export class Obstacle extends Error {
  override readonly name = "Obstacle";
  readonly kind: ObstacleKind;

  constructor(kind: ObstacleKind) {
    super(kind.because);
    this.kind = kind;
  }
}

export type ObstacleKind =
  | {
      readonly is: "held-up";
      readonly rule: string;
      /** the kind of breach (default: `broken`) */
      readonly code?: BreachCode;
      readonly because: string;
      readonly saw?: string;
      readonly want?: string;
      /** the fix for this breach (default: that of the check) */
      readonly remedy?: string;
      readonly at: readonly Evidence[];
    }
  | { readonly is: "not-applicable"; readonly because: string }
  | NotExamined
  | { readonly is: "network"; readonly because: string; readonly hint?: string };

export type HeldUp = Extract<ObstacleKind, { is: "held-up" }>;

/** The agent is at fault: `rule` fails, and everything else that needs the observation is blocked. */
export const heldUp = (
  rule: string,
  because: string,
  at: Evidence | readonly Evidence[],
  details: {
    readonly saw?: string;
    readonly want?: string;
    readonly remedy?: string;
    readonly code?: BreachCode;
  } = {},
): Obstacle => new Obstacle({ is: "held-up", rule, because, at: [at].flat() as Evidence[], ...details });

export const skipped = (reason: Unexamined, because: string, enable?: string, trouble?: TransportTrouble): Obstacle =>
  new Obstacle({
    is: "not-examined",
    reason,
    because,
    ...(enable !== undefined && { enable }),
    ...(trouble && { trouble }),
  });

export const doesNotApply = (because: string): Obstacle => new Obstacle({ is: "not-applicable", because });

import type { Blame } from "../document/blame.ts";

export const causeKinds = [
  /** the client cannot read the card of the server, or finds no interface in it */
  "card",
  /** the program could not be started, or is not set up */
  "not-started",
  /** the program ended while it was needed, and again after it was started anew */
  "died",
  /** the server offers no interface that its driver claims */
  "no-interface",
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** One thing that holds up many cells. */
export interface MatrixCause {
  /** "card/a2a-js/a2a-go": kind, then whom it concerns */
  readonly id: string;
  readonly kind: CauseKind;
  /** names of drivers; one of them absent: it concerns every peer */
  readonly client?: string;
  readonly server?: string;
  readonly says: string;
  /** the last lines of stderr */
  readonly stderr?: string;
  readonly exchanges: readonly string[];
  readonly blame?: Blame;
  /** how many cells it holds up */
  readonly cells: number;
}

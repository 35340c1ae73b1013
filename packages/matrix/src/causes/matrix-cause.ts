import type { Blame } from "../document/blame.ts";

export const causeKinds = [
  /** the client cannot read the card of the server, or finds no interface in it */
  "card",
  /** the program could not be started, or is not installed */
  "not-started",
  /** the program exited while it was needed, and again after a restart */
  "died",
  /** the card lacks an interface that the driver claims */
  "no-interface",
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** One cause that blocks many cells. */
export interface MatrixCause {
  /** "card/a2a-js/a2a-go": the kind, then the drivers */
  readonly id: string;
  readonly kind: CauseKind;
  /** names of drivers; an absent one means every peer */
  readonly client?: string;
  readonly server?: string;
  readonly says: string;
  /** the last lines of stderr */
  readonly stderr?: string;
  readonly exchanges: readonly string[];
  readonly blame?: Blame;
  /** number of blocked cells */
  readonly cells: number;
}

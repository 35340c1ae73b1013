// Apart from the options of a run: the published types reach it, and must not need those of Node.

/** A failure that is known and accepted for now. */
export interface BaselineEntry {
  /** the rule */
  readonly check: string;
  /** the binding, or "card"; everywhere unless given */
  readonly interface?: string;
  readonly reason: string;
  /** comes and goes: its absence is no news */
  readonly flaky?: boolean;
  /** ISO date after which the entry counts no more */
  readonly expires?: string;
}

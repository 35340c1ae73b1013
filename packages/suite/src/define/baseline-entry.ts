// A file of its own, because the published types include it and must not depend on Node types.

/** A known failure that is accepted for now. */
export interface BaselineEntry {
  /** the rule */
  readonly check: string;
  /** the binding, or "card" (default: everywhere) */
  readonly interface?: string;
  readonly reason: string;
  /** does not occur in every run, so its absence is not reported */
  readonly flaky?: boolean;
  /** ISO date after which the entry no longer counts */
  readonly expires?: string;
}

/** How much one host is asked, over all workers together. */
export interface HostLimits {
  /** so many of its agents are examined at the same time */
  readonly atOnce: number;
  /** so many examinations begin in a second, on the whole; some that were late may begin together */
  readonly perSecond: number;
}

/** An agent may be examined now, and its host is told when that is over; or it has its turn so many milliseconds later. */
export type HostTurn = { readonly leave: () => Promise<void> } | { readonly after: number };

/** Sees to it that no host is asked too much. */
export interface Politeness {
  /**
   * Asks for a turn at a host, for a job. A job that has to wait has its place kept: it comes back, and no other is before it. One
   * that does not leave (its worker died) has left when `lease` milliseconds are over; the same job may come back before that.
   */
  turn(host: string, job: string, lease: number): Promise<HostTurn>;
  close(): Promise<void>;
}

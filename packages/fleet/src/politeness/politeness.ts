/** Limits for one host, over all workers together. */
export interface HostLimits {
  /** maximum number of its agents that are examined at the same time */
  readonly atOnce: number;
  /** average number of examinations that begin per second; late ones may begin together */
  readonly perSecond: number;
}

/** Permission to examine an agent now, to be given back with `leave`; or the delay in milliseconds until its turn. */
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

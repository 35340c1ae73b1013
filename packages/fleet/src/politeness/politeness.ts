/** Limits for one host, over all workers together. */
export interface HostLimits {
  /** maximum number of its agents that are examined at the same time */
  readonly atOnce: number;
  /** average number of examinations that begin per second; late ones may begin together */
  readonly perSecond: number;
}

/** Permission to examine an agent now, to be given back with `leave`; or the delay in milliseconds until its turn. */
export type HostTurn = { readonly leave: () => Promise<void> } | { readonly after: number };

/** Limits the load on every host. */
export interface Politeness {
  /**
   * Asks for a turn at a host, for a job. A waiting job keeps its place, so no later job overtakes it. If its worker
   * dies, its turn ends after `lease` milliseconds; the same job may return earlier.
   */
  turn(host: string, job: string, lease: number): Promise<HostTurn>;
  close(): Promise<void>;
}

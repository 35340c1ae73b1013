import type { Depth } from "@assay/suite/report";

/**
 * The credentials of an agent, only as references (`env:NAME`, `@file`). The process that examines the agent resolves
 * them.
 */
export interface LoginReference {
  readonly bearer?: string;
  readonly basic?: string;
  readonly apiKey?: string;
  readonly oauthClient?: string;
  readonly tokenUrl?: string;
  readonly oauthScope?: string;
}

/** An agent as the list describes it. */
export interface ListedAgent {
  /** the unique name in this fleet, which is the address if the list gives no name */
  readonly name: string;
  readonly url: string;
  /** the address of the card, if it cannot be found from that of the agent */
  readonly card?: string;
  readonly labels: readonly string[];
  readonly login?: LoginReference;
  /** the depth (default: `free`, with requests that cause no work for the agent) */
  readonly depth: Depth;
  /** the operator allows one plain message, which may make the agent work and cost money */
  readonly mayMessage: boolean;
  /**
   * the agent's operator does not want a test, with the reason if the list has one; the agent gets no request at all
   */
  readonly optOut?: string;
  /** minimum milliseconds between two examinations while the card stays the same */
  readonly notBefore?: number;
  /** maximum milliseconds without a byte before a request is cancelled */
  readonly timeout?: number;
  /** maximum milliseconds of one examination */
  readonly deadline?: number;
}

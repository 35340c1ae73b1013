import type { Depth } from "@assay/suite/report";

/** How the operator logs in, by reference only (`env:NAME`, `@file`): the words are resolved where the agent is examined. */
export interface LoginReference {
  readonly bearer?: string;
  readonly basic?: string;
  readonly apiKey?: string;
  readonly oauthClient?: string;
  readonly tokenUrl?: string;
  readonly oauthScope?: string;
}

/** An agent as the list has it. */
export interface ListedAgent {
  /** what it is called in this fleet; its address where the list gives it no name. No two agents have the same. */
  readonly name: string;
  readonly url: string;
  /** where its card is, when it cannot be found from the address */
  readonly card?: string;
  readonly labels: readonly string[];
  readonly login?: LoginReference;
  /** `free` unless the list, a label or the operator says otherwise: the agent is asked, and made to do no work */
  readonly depth: Depth;
  /** the operator allows one plain message, which may make the agent work and cost money */
  readonly mayMessage: boolean;
  /** who runs the agent does not want it to be examined, and why where the list says so: it gets no request at all */
  readonly optOut?: string;
  /** milliseconds that must lie between two examinations while its card stays the same */
  readonly notBefore?: number;
  /** milliseconds without a byte after which a request is given up */
  readonly timeout?: number;
  /** milliseconds that one examination may take */
  readonly deadline?: number;
}

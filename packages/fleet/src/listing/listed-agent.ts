import type { Depth } from "@assay/suite/report";

/** How the operator logs in, by reference only (`env:NAME`, `@file`): the words are resolved where the agent is examined. */
export interface LoginReference {
  readonly bearer?: string;
  readonly basic?: string;
  readonly apiKey?: string;
  readonly oauthClient?: string;
  readonly tokenUrl?: string;
}

/** An agent as the list has it. */
export interface ListedAgent {
  /** what it is called in this fleet; its address where the list gives it no name. No two agents have the same. */
  readonly name: string;
  readonly url: string;
  readonly labels: readonly string[];
  readonly login?: LoginReference;
  /** `card` unless the list, a label or the operator asks for more */
  readonly depth: Depth;
  /** the operator allows one plain message, which may make the agent work and cost money */
  readonly mayMessage: boolean;
  /** who runs the agent does not want it to be examined, and why where the list says so: it gets no request at all */
  readonly optOut?: string;
  /** milliseconds that must lie between two examinations while its card stays the same */
  readonly notBefore?: number;
}

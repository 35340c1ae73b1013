/** The classes of agents, from best to worst, as every view names them. */
export const agentClasses = [
  "working",
  "rules-broken",
  "login-required",
  "payment-required",
  "card-invalid",
  "no-usable-interface",
  "endpoint-missing",
  "something-else",
  "timed-out",
  "unreachable",
  "refused-by-guard",
  /** no fault of the agent: it asked not to be examined */
  "opted-out",
  /** no fault of the agent: we could not examine it (our process died, a credential was missing) */
  "not-examined",
] as const;

export type AgentClass = (typeof agentClasses)[number];

/** Why an agent is in its class: what was seen, and what to do about it. */
export interface ClassReason {
  /** a fact of a fixed list, by which reasons are counted: `card-404`, `endpoint-html`, … */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** the exchange or the finding that shows it, masked and short */
  readonly evidence?: string;
}

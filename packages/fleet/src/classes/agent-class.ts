interface ClassFacts {
  /** the text of every view */
  readonly words: string;
  /** the colour: a verdict that passes, that fails, or that says nothing */
  readonly tone: "pass" | "fail" | "none";
  /** the use of the agent for a plain caller, best first; absent if the class says nothing about the agent */
  readonly rank?: number;
  /** depends on the agent and not on the moment, so it may be repeated while the card is the same */
  readonly lasts?: true;
}

/** The classes of an agent, in the order of a league table. */
const classes = {
  working: { words: "working", tone: "pass", rank: 0, lasts: true },
  "rules-broken": { words: "works, rules broken", tone: "fail", rank: 1, lasts: true },
  "login-required": { words: "login required", tone: "none", rank: 2, lasts: true },
  "payment-required": { words: "payment required", tone: "none", rank: 2, lasts: true },
  "card-invalid": { words: "card invalid", tone: "fail", rank: 3, lasts: true },
  "no-usable-interface": { words: "no usable interface", tone: "fail", rank: 3, lasts: true },
  "endpoint-missing": { words: "endpoint not there", tone: "fail", rank: 3, lasts: true },
  "something-else": { words: "answers with something else", tone: "fail", rank: 3, lasts: true },
  "timed-out": { words: "times out", tone: "none", rank: 3 },
  unreachable: { words: "unreachable", tone: "none", rank: 3 },
  "refused-by-guard": { words: "refused by our guard", tone: "none" },
  /** not the agent's fault: it asked not to be examined */
  "opted-out": { words: "opted out", tone: "none" },
  /** not the agent's fault: Assay could not examine it (its process died, a credential was missing) */
  "not-examined": { words: "not examined", tone: "none" },
} as const satisfies Record<string, ClassFacts>;

export type AgentClass = keyof typeof classes;

export const classFacts = (named: AgentClass): ClassFacts => classes[named];

// The keys of an object literal keep their order.
export const agentClasses = Object.keys(classes) as readonly AgentClass[];

/** The observation that puts an agent into its class, and the next step. */
export interface ClassReason {
  /** a fact of a fixed list; reports count reasons by it: `card-404`, `endpoint-html`, … */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** the exchange or the finding that shows it, masked and short */
  readonly evidence?: string;
}

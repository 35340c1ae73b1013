import type { TransportTrouble } from "./trouble.ts";
import type { Status, Unexamined, VerdictName } from "./verdict.ts";

/** One way to reach the agent: where, in which version of the protocol, over which binding. */
export interface InterfaceName {
  readonly url: string;
  readonly dialect: string;
  readonly binding: string;
}

/** The same text for the same interface, and for none. */
export const interfaceKey = (on: InterfaceName | undefined): string =>
  on ? `${on.binding} ${on.dialect} ${on.url}` : "";

/** The same text for the same rule of the same version. */
export const ruleKey = ({ test, dialect }: Pick<ConformanceResult, "test" | "dialect">): string => `${test} ${dialect}`;

/** The member of a report's `categories` on the left; on the right the spelling a result has. */
export const categories = {
  agentCard: "agent-card",
  lifecycle: "lifecycle",
  streaming: "streaming",
  errorHandling: "error-handling",
  interop: "interop",
} as const;

export type CategoryMember = keyof typeof categories;
export type Category = (typeof categories)[CategoryMember];

/** Subjects that run through several categories. */
export const subjects = ["push-notifications", "security", "versioning", "data-model", "bindings"] as const;
/** A further name by which a result is found. */
export type Tag = Category | (typeof subjects)[number];

export type RuleLevel = "MUST" | "MUST_NOT" | "SHOULD" | "SHOULD_NOT" | "MAY";

/** A place in an answer. */
export interface AnswerPlace {
  /** of a stream: which of its events, from 0 on */
  readonly event?: number;
  /** in the JSON of the body, or of that event, as in `$.result.task.status`; the member there may be missing */
  readonly path?: string;
}

/** What one check found on one interface: a line of the report. */
export interface ConformanceResult {
  /** the rule's id */
  readonly test: string;
  readonly category: Category;
  /** what else it is about; absent where that is nothing */
  readonly tags?: readonly Tag[];
  readonly status: Status;
  /** what we saw, in one sentence; for what was not examined, why */
  readonly message?: string;
  readonly duration_ms?: number;

  /** whose doing it is; absent for the agent's */
  readonly party?: "client";
  readonly verdict: VerdictName;
  /** the version of the protocol whose rule it is */
  readonly dialect: string;
  readonly level: RuleLevel;
  readonly title: string;
  /** of the specification, as in "3.1.4" */
  readonly section: string;
  readonly specUrl: string;
  /** absent where the rule is about the card or the agent as a whole */
  readonly interface?: InterfaceName;
  /** of a client: the situation in which it was seen */
  readonly situation?: string;
  /** the rule holds by the letter that matters, but a SHOULD or a stricter reading does not */
  readonly warning?: string;
  /** worth knowing, nothing to change */
  readonly info?: string;
  /** what we sent, saw and wanted, each short enough for a line */
  readonly sent?: string;
  readonly saw?: string;
  readonly want?: string;
  readonly remedy?: string;
  /** what kind of breach a failure, a warning or a remark is, of the list in rules/breach-codes.ts */
  readonly code?: string;
  /** the operation whose call shows a failure or a warning */
  readonly operation?: string;
  /**
   * how that call was answered, where it was with no result: the error as its binding numbers it ("-32601", "HTTP 404",
   * "UNIMPLEMENTED"), "unreadable", with the status where that tells of an error ("HTTP 500, unreadable"), or "none"
   */
  readonly answer?: string;
  /** where to look in the answer of the first exchange of `evidence` */
  readonly place?: AnswerPlace;
  /** in a report, for a failure or a warning: what the same finding is called in every run */
  readonly fingerprint?: string;
  /** the rule whose failure held this one up */
  readonly rootCause?: string;
  readonly unexamined?: Unexamined;
  /** the flag, or the line of assay.yaml, that would have this rule examined */
  readonly enable?: string;
  /** of what was not examined: what the network or a gateway did in place of the agent's answer */
  readonly trouble?: TransportTrouble;
  /** ids of the exchanges that prove it */
  readonly evidence: readonly string[];
  /** a line for the shell that shows it again */
  readonly repeat?: string;
  readonly ambiguity?: readonly string[];
  /** contested: reported, and never decisive for the exit code */
  readonly disputed?: true;
  /** the run that examined it, where this one goes on with that */
  readonly from?: string;
  /** a baseline lists this failure, for this reason */
  readonly expected?: string;
}

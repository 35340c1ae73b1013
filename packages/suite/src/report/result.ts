import type { KnownFault } from "./sdk-faults.ts";
import type { TransportTrouble } from "./trouble.ts";
import type { Status, Unexamined, VerdictName } from "./verdict.ts";

/** One interface of the agent: address, protocol version and binding. */
export interface InterfaceName {
  readonly url: string;
  readonly dialect: string;
  readonly binding: string;
}

/** Returns the same key for the same interface. */
export const interfaceKey = (on: InterfaceName | undefined): string =>
  on ? `${on.binding} ${on.dialect} ${on.url}` : "";

/** Returns the same key for the same rule of the same version. */
export const ruleKey = ({ test, dialect }: Pick<ConformanceResult, "test" | "dialect">): string => `${test} ${dialect}`;

/** Left: the member of a report's `categories`. Right: the spelling in a result. */
export const categories = {
  agentCard: "agent-card",
  lifecycle: "lifecycle",
  streaming: "streaming",
  errorHandling: "error-handling",
  interop: "interop",
} as const;

export type CategoryMember = keyof typeof categories;
export type Category = (typeof categories)[CategoryMember];

/** Subjects that cover several categories. */
export const subjects = ["push-notifications", "security", "versioning", "data-model", "bindings"] as const;
/** Another name that selects a result. */
export type Tag = Category | (typeof subjects)[number];

export type RuleLevel = "MUST" | "MUST_NOT" | "SHOULD" | "SHOULD_NOT" | "MAY";

/** A position in a response. */
export interface AnswerPlace {
  /** for a stream: the index of the event, from 0 */
  readonly event?: number;
  /** in the JSON of the body or event, as in `$.result.task.status`; the member may be missing */
  readonly path?: string;
}

/** One end of a gateway in a comparison. */
interface ComparedEnd {
  readonly end: "client" | "agent";
  /** ids of its exchanges: none if nothing arrived, several if a request arrived several times */
  readonly exchanges: readonly string[];
  /** one line for the place that differs */
  readonly shows?: string;
}

/** A request or response on both sides of a gateway, and the place at which they differ. */
export interface ComparedExchanges {
  readonly part: "request" | "response";
  /** the end that sent this part, then the end that received it */
  readonly ends: readonly [ComparedEnd, ComparedEnd];
  /** the header that differs */
  readonly header?: string;
  /** the HTTP status differs */
  readonly status?: true;
  /** the event of a stream that differs, and the position in the JSON of the event or body */
  readonly place?: AnswerPlace;
}

/** The finding of one check on one interface: a line of the report. */
export interface ConformanceResult {
  /** the rule's id */
  readonly test: string;
  readonly category: Category;
  /** further subjects, if any */
  readonly tags?: readonly Tag[];
  readonly status: Status;
  /** the observed behaviour in one sentence, or why the rule was not examined */
  readonly message?: string;
  readonly duration_ms?: number;

  /** the responsible party; absent for the agent */
  readonly party?: "client";
  readonly verdict: VerdictName;
  /** the protocol version of the rule */
  readonly dialect: string;
  readonly level: RuleLevel;
  readonly title: string;
  /** section of the specification, as in "3.1.4" */
  readonly section: string;
  readonly specUrl: string;
  /** absent if the rule concerns the card or the whole agent */
  readonly interface?: InterfaceName;
  /** for a client: the situation */
  readonly situation?: string;
  /** the rule holds, but a SHOULD or a stricter reading of it does not */
  readonly warning?: string;
  /** for information, nothing to change */
  readonly info?: string;
  /** the request, the observed response and the expected one, one line each */
  readonly sent?: string;
  readonly saw?: string;
  readonly want?: string;
  readonly remedy?: string;
  /** the kind of breach of a failure, warning or remark: a code of rules/breach-codes.ts */
  readonly code?: string;
  /** the operation whose call shows a failure or a warning */
  readonly operation?: string;
  /**
   * the response of that call if it has no result: the error as its binding numbers it ("-32601", "HTTP 404",
   * "UNIMPLEMENTED"). Otherwise "unreadable", with the status of an error ("HTTP 500, unreadable"), or "none".
   */
  readonly answer?: string;
  /** the position in the response of the first exchange of `evidence` */
  readonly place?: AnswerPlace;
  /** in a report, for a failure or warning: its name in every run */
  readonly fingerprint?: string;
  /** the rule whose failure blocks this one */
  readonly rootCause?: string;
  readonly unexamined?: Unexamined;
  /** the flag or assay.yaml line that enables this rule */
  readonly enable?: string;
  /** for a rule that was not examined: the trouble of the network or a gateway */
  readonly trouble?: TransportTrouble;
  /** ids of the exchanges that prove it */
  readonly evidence: readonly string[];
  /** for a property of a gateway that is broken or changed: both ends */
  readonly compared?: ComparedExchanges;
  /** a shell command that shows it again */
  readonly repeat?: string;
  readonly ambiguity?: readonly string[];
  /** disputed: reported, but never decides the exit code */
  readonly disputed?: true;
  /** the earlier run that examined it, if this run resumes that one */
  readonly from?: string;
  /** why a baseline or --ignore-known-sdk accepts this failure */
  readonly expected?: string;
  /** in a report, for a failure: the SDK fault that causes it */
  readonly knownFault?: KnownFault;
}

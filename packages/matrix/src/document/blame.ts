import type { AnswerPlace } from "@assay/suite/report";

/** The side at fault in a red cell, derived from the bytes. */
export const blamed = ["client", "server", "both", "specification", "unclear"] as const;
export type Blamed = (typeof blamed)[number];

/** The reasons for a blame. Each depends on a recorded fact. */
export const blameCodes = {
  /** the program exited during the scenario */
  "client-ended": "client",
  "server-ended": "server",
  /** the client sent no request, and the card gives no reason for that */
  "not-sent": "client",
  /** a request went to an address, binding or version that the card does not declare */
  "sent-elsewhere": "client",
  "request-breaks-rule": "client",
  /** the request is not what the program asked for */
  "request-differs": "client",
  /** the client read a stream to its end although the program left it, so the next step came too late */
  "kept-reading": "client",
  /** the response on the wire is correct, but the client's result for its program is not */
  "surfaced-otherwise": "client",
  "no-card": "server",
  "card-breaks-rule": "server",
  /** the card does not declare it, or omits an interface that the driver claims */
  "not-offered": "server",
  "connection-broken": "server",
  "no-answer": "server",
  "answer-breaks-rule": "server",
  /** the response breaks no traffic rule, but is wrong for the operation */
  "answer-differs": "server",
  "both-break-rules": "both",
  /** the specification allows both the actual and the expected response */
  "two-readings": "specification",
  /** the client rejected it without asking, as the card suggests: no text forbids it */
  "refused-by-itself": "unclear",
  /** the client reports the server's error; no text defines whether that is the expected one */
  "told-as-written": "unclear",
  /**
   * only the Content-Type is wrong, and the recording does not show whether the client failed because of it
   */
  "label-wrong": "unclear",
  /** the task had ended when the client came back to it */
  "ended-meanwhile": "unclear",
  /** the client hung up on a pending request */
  "gave-up": "unclear",
  /** the program is not available on this machine, which says nothing about the SDK */
  "not-started": "unclear",
  /** the driver itself could not do what it was asked */
  "driver-refused": "unclear",
  /** the recording does not decide it */
  "not-shown": "unclear",
} as const satisfies Record<string, Blamed>;
export type BlameCode = keyof typeof blameCodes;

export interface Blame {
  readonly whose: Blamed;
  readonly code: BlameCode;
  /** equal for red cells with one cause: "server/a2a-go/STREAM-003" */
  readonly cause: string;
  /** the cause in a line, as the title of an issue */
  readonly title: string;
  /** a paragraph for a reader who has not seen the bytes */
  readonly explanation: string;
  /** the reasons, most important first */
  readonly reasons: readonly BlameReason[];
  /** of docs/spec/ambiguities.md: "AMB-01" */
  readonly ambiguity?: string;
}

/** A sentence about an exchange, a rule, or a number of cells. */
export interface BlameReason {
  readonly says: string;
  readonly exchange?: string;
  /** the place in it: in the JSON of the request, such as `$.params.message`, or in the response */
  readonly at?: { readonly request?: string; readonly answer?: AnswerPlace };
  readonly rule?: BrokenRule;
  /** the party, if both sides share the fault */
  readonly party?: "client" | "server";
}

/** A rule with its citation. */
export interface BrokenRule {
  readonly id: string;
  readonly level: string;
  /** in our words */
  readonly text: string;
  readonly section: string;
  readonly url: string;
}

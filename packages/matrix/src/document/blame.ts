import type { AnswerPlace } from "@assay/suite/report";

/** Whose a red cell is, derived from the bytes. */
export const blamed = ["client", "server", "both", "specification", "unclear"] as const;
export type Blamed = (typeof blamed)[number];

/** By what it is known whose a red cell is. Each rests on something that was recorded. */
export const blameCodes = {
  /** the program ended while it was at work */
  "client-ended": "client",
  "server-ended": "server",
  /** no request left the client, and the card gives no reason for that */
  "not-sent": "client",
  /** a request went to a place, a binding or a version that the card does not offer */
  "sent-elsewhere": "client",
  "request-breaks-rule": "client",
  /** the request is not what the program asked for */
  "request-differs": "client",
  /** a stream that the program left was read to its end, and what was to follow came too late */
  "kept-reading": "client",
  /** the answer on the wire is right, and what the client gave to its program is not */
  "surfaced-otherwise": "client",
  "no-card": "server",
  "card-breaks-rule": "server",
  /** the card says that it is not offered, or leaves out what the driver claims */
  "not-offered": "server",
  "connection-broken": "server",
  "no-answer": "server",
  "answer-breaks-rule": "server",
  /** no rule about any traffic is broken, and yet the answer is not the one that the operation has */
  "answer-differs": "server",
  "both-break-rules": "both",
  /** the specification allows what was answered and what was expected */
  "two-readings": "specification",
  /** the client refused without asking, as the card suggests: no text forbids it */
  "refused-by-itself": "unclear",
  /** the client tells the error that the server wrote; whether that names the expected one, no text says */
  "told-as-written": "unclear",
  /** only the label of the answer is wrong, and nothing shows whether it is that which the client stumbles over */
  "label-wrong": "unclear",
  /** the task had ended when the client came back to it */
  "ended-meanwhile": "unclear",
  /** the client hung up on a request that was being worked on */
  "gave-up": "unclear",
  /** the program could not be had on this machine, which says nothing of the SDK */
  "not-started": "unclear",
  /** the driver itself could not do what it was asked */
  "driver-refused": "unclear",
  /** nothing that was recorded decides it */
  "not-shown": "unclear",
} as const satisfies Record<string, Blamed>;
export type BlameCode = keyof typeof blameCodes;

export interface Blame {
  readonly whose: Blamed;
  readonly code: BlameCode;
  /** red cells that say the same here have one cause: "server/a2a-go/STREAM-003" */
  readonly cause: string;
  /** the cause in a line, as the title of an issue */
  readonly title: string;
  /** a paragraph for a reader who has not seen the bytes */
  readonly explanation: string;
  /** what leads there, the weightiest first */
  readonly reasons: readonly BlameReason[];
  /** of docs/spec/ambiguities.md: "AMB-01" */
  readonly ambiguity?: string;
}

/** A sentence that names its exchange or its rule, or counts cells. */
export interface BlameReason {
  readonly says: string;
  readonly exchange?: string;
  /** where in it to look: in the JSON of the request, as in `$.params.message`, or in the answer */
  readonly at?: { readonly request?: string; readonly answer?: AnswerPlace };
  readonly rule?: BrokenRule;
  /** whose it is, where both sides have their part */
  readonly party?: "client" | "server";
}

/** A rule with what is needed to cite it. */
export interface BrokenRule {
  readonly id: string;
  readonly level: string;
  /** in our words */
  readonly text: string;
  readonly section: string;
  readonly url: string;
}

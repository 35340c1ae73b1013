import type { JsonObject } from "@assay/protocol";
import type { AbstractOperation } from "../model.ts";
import type { Given } from "./client.ts";

/** What a scenario came to when a client of others went through it. */
export interface ClientTestOutcome {
  readonly verdict: "pass" | "fail" | "unsupported" | "not-applicable" | "error";
  /** a sentence, for every verdict but pass */
  readonly reason?: string;
  readonly failure?: ClientFailure;
  readonly steps: readonly ClientStepOutcome[];
  readonly durationMs: number;
}

export interface ClientStepOutcome {
  readonly id: string;
  readonly operation: AbstractOperation;
  readonly verdict: "pass" | "fail" | "skip";
  readonly durationMs: number;
  readonly request?: JsonObject;
  readonly given?: Given;
  /** those it caused, in their order */
  readonly exchanges: readonly string[];
  /** what is worth knowing though nothing failed */
  readonly note?: string;
}

export const clientFailureCodes = [
  /** the answer differs from what is expected */
  "answer",
  /** what only the bytes show differs: status, header fields */
  "wire",
  /** an error was expected, and none came */
  "no-error",
  /** another error than the expected one */
  "other-error",
  /** the agent's error is right on the wire, and the client does not surface it as the agent's */
  "error-not-surfaced",
  /** the client gave an error where a result was expected */
  "unexpected-error",
  /** nothing in its time */
  "late",
  /** the client sent no request for it */
  "not-sent",
  /** the client spoke another binding or version than it was offered */
  "other-interface",
  /** the program of the client or of the server ended, and again when it was asked anew */
  "died",
] as const;
export type ClientFailureCode = (typeof clientFailureCodes)[number];

/** The first expectation that did not hold. */
export interface ClientFailure {
  readonly step: string;
  readonly code: ClientFailureCode;
  readonly message: string;
  /** where in the answer: "task.status.state" */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /**
   * What is expected, held against what the server answered, decoded from the recorded bytes by our own codec:
   * `fails`: the server's answer is already wrong; `holds`: it was right, and came out wrong of the client;
   * `unseen`: no answer of the server was recorded for this step.
   */
  readonly onTheWire: "holds" | "fails" | "unseen";
  /** what the wire shows at that place, where it is right there */
  readonly wire?: string;
  /** the exchange that was judged */
  readonly exchange?: string;
}

import type { JsonObject } from "@assay/protocol";
import type { AbstractOperation } from "../model.ts";
import type { Given } from "./client.ts";

/** The result of a scenario with a third-party client. */
export interface ClientTestOutcome {
  readonly verdict: "pass" | "fail" | "unsupported" | "not-applicable" | "error";
  /** a sentence, for every verdict except pass */
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
  /** those it caused, in order */
  readonly exchanges: readonly string[];
  /** additional information about a passed test */
  readonly note?: string;
}

export const clientFailureCodes = [
  /** the response differs from the expectation */
  "answer",
  /** the status or headers differ, which only the bytes show */
  "wire",
  /** an error was expected, and none came */
  "no-error",
  /** another error than the expected one */
  "other-error",
  /** the agent's error is correct on the wire, but the client does not report it as such */
  "error-not-surfaced",
  /** the client reported an error instead of a result */
  "unexpected-error",
  /** timeout */
  "late",
  /** the client sent no request for it */
  "not-sent",
  /** the client used another binding or version than it was offered */
  "other-interface",
  /** the program of the client or of the server exited, and again after a restart */
  "died",
] as const;
export type ClientFailureCode = (typeof clientFailureCodes)[number];

/** The first expectation that did not hold. */
export interface ClientFailure {
  readonly step: string;
  readonly code: ClientFailureCode;
  readonly message: string;
  /** the place in the response: "task.status.state" */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /**
   * Compares the expectation with the server's response, decoded from the recorded bytes by Assay's codec.
   * `fails`: the server's response is already wrong. `holds`: it was correct, but the client's result is
   * wrong. `unseen`: no response was recorded for this step.
   */
  readonly onTheWire: "holds" | "fails" | "unseen";
  /** the value on the wire at that place, if it is correct there */
  readonly wire?: string;
  /** the exchange that was judged */
  readonly exchange?: string;
}

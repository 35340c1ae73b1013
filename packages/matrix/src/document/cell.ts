import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Blame } from "./blame.ts";
import type { BindingName, MatrixVersion } from "./document.ts";
import type { KnownFailure } from "./known-failure.ts";
import type { Seal } from "./seal.ts";

export const cellOutcomes = [
  /** every expectation holds */
  "passed",
  /** one does not */
  "failed",
  /** the driver says that its SDK cannot do it */
  "unsupported",
  /** the card of the server does not claim what the scenario is about, or the version does not have it */
  "not-applicable",
  /** held up by a cause that is counted once: see `cause` */
  "blocked",
  /** time over, interrupted */
  "not-run",
] as const;
export type CellOutcome = (typeof cellOutcomes)[number];

/** One client, one server, one interface, one scenario. */
export interface Cell {
  /** "a2a-js/a2a-go/jsonrpc/1.0/spec-get-task" */
  readonly id: string;
  /** names of drivers */
  readonly client: string;
  readonly server: string;
  readonly binding: BindingName;
  readonly version: MatrixVersion;
  readonly scenario: string;
  readonly outcome: CellOutcome;
  /** a sentence, for every outcome but passed */
  readonly because?: string;
  readonly duration_ms: number;
  readonly steps: readonly CellStep[];
  /** ids of every exchange that crossed while it ran, in their order; steps name their own */
  readonly exchanges: readonly string[];
  /** what went wrong, of a cell that failed */
  readonly failure?: CellFailure;
  /** the id of a MatrixCause, of a cell that is blocked */
  readonly cause?: string;
  /** of a red cell: failed */
  readonly blame?: Blame;
  readonly known?: KnownFailure;
  /** the last lines of stderr of a driver that died */
  readonly stderr?: { readonly client?: string; readonly server?: string };
  readonly seal: Seal;
}

/** One step of the scenario: what the driver was asked, and what it answered, both in the JSON of 1.0. */
export interface CellStep {
  readonly id: string;
  /** the driver's op: "send", "push.create" */
  readonly op: string;
  readonly verdict: "pass" | "fail" | "skip";
  readonly duration_ms: number;
  readonly params?: JsonObject;
  readonly answer?: DriverAnswer;
  /** those it caused, in their order; the last of them is the one that was judged */
  readonly exchanges: readonly string[];
  /** what is worth knowing though nothing failed */
  readonly note?: string;
}

export const driverErrorKinds = ["protocol", "transport", "unsupported", "driver"] as const;
export type DriverErrorKind = (typeof driverErrorKinds)[number];

/** What came from the client's SDK. */
export interface DriverAnswer {
  readonly result?: JsonValue;
  readonly events?: readonly JsonValue[];
  /** the stream came to its end */
  readonly done?: true;
  readonly error?: DriverError;
  /** it neither answered nor ended in its time */
  readonly late?: true;
}

/** An error as the SDK surfaced it. */
export interface DriverError {
  readonly kind: DriverErrorKind;
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}

/** The first expectation that did not hold. */
export interface CellFailure {
  readonly step: string;
  /** what kind of thing it is */
  readonly code: CellFailureCode;
  readonly message: string;
  /** where in the answer: "task.status.state" */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /**
   * The same expectation held against what the server answered, decoded from the recorded bytes by our own codec:
   * `fails`: the server's answer is already wrong; `holds`: it was right, and came out wrong of the client;
   * `unseen`: no answer of the server was recorded for this step.
   */
  readonly onTheWire: "holds" | "fails" | "unseen";
  /** what the wire shows at that place, where it differs from `actual` */
  readonly wire?: string;
  /** the exchange that was judged */
  readonly exchange?: string;
}

export const cellFailureCodes = [
  /** the answer differs from what is expected */
  "answer",
  /** a property only the bytes show: status, header */
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
  /** the client spoke another binding or version than the card offers */
  "other-interface",
] as const;
export type CellFailureCode = (typeof cellFailureCodes)[number];

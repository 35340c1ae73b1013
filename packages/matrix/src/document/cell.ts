import type { JsonObject } from "@assay/protocol";
import type { ClientFailure, Given } from "@assay/scenarios";
import type { Blame } from "./blame.ts";
import type { BindingName, MatrixVersion } from "./document.ts";
import type { KnownFailure } from "./known-failure.ts";
import type { Seal } from "./seal.ts";

export const cellOutcomes = [
  /** every expectation holds */
  "passed",
  /** one does not */
  "failed",
  /** the driver says that its SDK does not support it */
  "unsupported",
  /** the server's card does not declare what the scenario needs, or the version does not have it */
  "not-applicable",
  /** blocked by a cause that is counted once: see `cause` */
  "blocked",
  /** timeout or interrupted */
  "not-run",
] as const;
export type CellOutcome = (typeof cellOutcomes)[number];

/** One client, one server, one interface, one scenario, before the document is made. */
export interface UnsealedCell {
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
  /** ids of all exchanges of the scenario, in order; steps name their own */
  readonly exchanges: readonly string[];
  /** the failure of a failed cell */
  readonly failure?: ClientFailure;
  /** the id of a MatrixCause, for a blocked cell */
  readonly cause?: string;
  /** for a red cell */
  readonly blame?: Blame;
  readonly known?: KnownFailure;
  /** the last lines of stderr of a crashed driver; empty if it wrote none */
  readonly stderr?: { readonly client?: string; readonly server?: string };
  /** the seal without the digests over the content of the document */
  readonly seal: Omit<Seal, "evidence" | "cell">;
}

/** A cell of a document. */
export interface Cell extends UnsealedCell {
  readonly seal: Seal;
}

/** An SDK's result for its program, its error, and the failed expectation. */
export type {
  ClientFailure as CellFailure,
  Given as DriverAnswer,
  SurfacedError as DriverError,
} from "@assay/scenarios";

/** One step of the scenario: the driver's request and answer, both in the JSON of 1.0. */
export interface CellStep {
  readonly id: string;
  /** the driver's op: "send", "push.create" */
  readonly op: string;
  readonly verdict: "pass" | "fail" | "skip";
  readonly duration_ms: number;
  readonly params?: JsonObject;
  readonly answer?: Given;
  /** those it caused, in order; the last one is judged */
  readonly exchanges: readonly string[];
  /** additional information about a passed step */
  readonly note?: string;
}

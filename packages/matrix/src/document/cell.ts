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

/** One client, one server, one interface, one scenario, before the document it stands in is made. */
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
  /** ids of every exchange that crossed while it ran, in their order; steps name their own */
  readonly exchanges: readonly string[];
  /** what went wrong, of a cell that failed */
  readonly failure?: ClientFailure;
  /** the id of a MatrixCause, of a cell that is blocked */
  readonly cause?: string;
  /** of a red cell: failed */
  readonly blame?: Blame;
  readonly known?: KnownFailure;
  /** the last lines of stderr of a driver that died; empty where it wrote none */
  readonly stderr?: { readonly client?: string; readonly server?: string };
  /** what the seal will say, but for the digests over what the document holds */
  readonly seal: Omit<Seal, "evidence" | "cell">;
}

/** A cell of a document. */
export interface Cell extends UnsealedCell {
  readonly seal: Seal;
}

/** What an SDK gave to its program, how it surfaced an error, and what of it was not as expected. */
export type {
  ClientFailure as CellFailure,
  Given as DriverAnswer,
  SurfacedError as DriverError,
} from "@assay/scenarios";

/** One step of the scenario: what the driver was asked, and what it answered, both in the JSON of 1.0. */
export interface CellStep {
  readonly id: string;
  /** the driver's op: "send", "push.create" */
  readonly op: string;
  readonly verdict: "pass" | "fail" | "skip";
  readonly duration_ms: number;
  readonly params?: JsonObject;
  readonly answer?: Given;
  /** those it caused, in their order; the last of them is the one that was judged */
  readonly exchanges: readonly string[];
  /** what is worth knowing though nothing failed */
  readonly note?: string;
}

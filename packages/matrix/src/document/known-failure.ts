import type { BindingName, DriverRole, MatrixVersion } from "./document.ts";

/** A failure that the driver's known-failures.yaml lists. */
export interface KnownFailure {
  /** whose file lists it */
  readonly driver: string;
  readonly role: DriverRole;
  readonly why: string;
  readonly issue?: string;
}

/** A row of known-failures.yaml; what is left out means all. */
export interface KnownFailureRow extends KnownFailure {
  readonly peers?: readonly string[];
  readonly bindings?: readonly BindingName[];
  readonly versions?: readonly MatrixVersion[];
  readonly scenarios: readonly string[];
}

/** A row of which cells were run, and none failed. */
export interface StaleKnownFailure {
  readonly row: KnownFailureRow;
  /** how many cells it is about */
  readonly cells: number;
}

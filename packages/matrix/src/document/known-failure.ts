import type { BindingName, DriverRole, MatrixVersion } from "./document.ts";

/** A failure that the driver's known-failures.yaml lists. */
export interface KnownFailure {
  /** the driver whose file lists it */
  readonly driver: string;
  readonly role: DriverRole;
  readonly why: string;
  readonly issue?: string;
  /** it does not happen in every run */
  readonly flaky?: true;
}

/** A row of known-failures.yaml; omitted peers, bindings or versions mean all. */
export interface KnownFailureRow extends KnownFailure {
  readonly peers?: readonly string[];
  readonly bindings?: readonly BindingName[];
  readonly versions?: readonly MatrixVersion[];
  readonly scenarios: readonly string[];
  /** causes of blame with *, blame codes, or ids of broken rules: a failure with another cause is not known */
  readonly causes: readonly string[];
}

/** A row whose cells were all run without a failure. */
export interface StaleKnownFailure {
  readonly row: KnownFailureRow;
  /** number of its cells */
  readonly cells: number;
}

/** Exit codes of the command line that an error can cause: 1 the agent is at fault, 2 the user can fix it, 3 Assay is at fault. */
type FailureExit = 1 | 2 | 3;

interface AssayErrorFacts {
  /** stable, for programs: `database-unavailable` */
  readonly code: string;
  readonly message: string;
  /** what to do next */
  readonly hint?: string | undefined;
  /** default: 2 */
  readonly exitCode?: FailureExit;
  readonly cause?: unknown;
}

/**
 * The error that people see: what failed, what to do next, and how the command line exits. A subclass exists only where a
 * caller catches it. Errors that become an answer on the wire (`A2AError`, `WireError`) or a verdict (`Obstacle`) are not
 * printed, and are not of this class.
 */
export class AssayError extends Error {
  override readonly name: string = "AssayError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: FailureExit;

  constructor({ code, message, hint, exitCode = 2, cause }: AssayErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Wrong usage: an option, a file or an address that the user can correct. */
export class UsageError extends AssayError {
  override readonly name = "UsageError";

  constructor(message: string, hint?: string, cause?: unknown) {
    super({ code: "usage", message, hint, cause });
  }
}

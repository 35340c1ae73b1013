/** Exit codes that an error can cause: 1 means the agent is at fault, 2 the user can fix it, 3 internal error. */
type FailureExit = 1 | 2 | 3;

interface AssayErrorFacts {
  /** stable, for programs: `database-unavailable` */
  readonly code: string;
  readonly message: string;
  /** the next step for the user */
  readonly hint?: string | undefined;
  /** default: 2 */
  readonly exitCode?: FailureExit;
  readonly cause?: unknown;
}

/**
 * An error shown to the user: what failed, what to do next, and the exit code. Add a subclass only where a caller
 * catches it.
 *
 * Errors that become a response on the wire (`A2AError`, `WireError`) or a verdict (`Obstacle`) are not printed, so
 * they do not extend this class.
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

/** Invalid usage: an option, a file or an address that the user can correct. */
export class UsageError extends AssayError {
  override readonly name = "UsageError";

  constructor(message: string, hint?: string, cause?: unknown) {
    super({ code: "usage", message, hint, cause });
  }
}

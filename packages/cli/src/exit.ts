import { AssayError, UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "./terminal/escape.ts";
import type { Screen } from "./terminal/screen.ts";

export { UsageError };

/** The exit codes of commands, as --help shows them. */
export const exitCodes = {
  fine: 0,
  /** the agent answered with an error, or not in A2A */
  agent: 1,
  /** wrong usage, or an agent that cannot be reached, has no card, or asks for a login */
  usage: 2,
  /** internal error */
  ours: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Prints the message and the hint of an error, and returns its exit code. */
export function complainOf(error: AssayError, screen: Screen): ExitCode {
  // Messages of usage errors come from Assay and may have several lines. Others may quote an agent.
  const shown = error instanceof UsageError ? (text: string) => text : escapeText;
  screen.complain(`assay: ${shown(error.message)}`);
  if (error.hint) screen.complain(shown(error.hint));
  return error.exitCode;
}

/** Rethrows an AssayError as wrong usage of the flag that caused it. */
export const blaming =
  (flag: string) =>
  (error: unknown): never => {
    throw error instanceof AssayError ? new UsageError(`${flag}: ${error.message}`, error.hint, error) : error;
  };

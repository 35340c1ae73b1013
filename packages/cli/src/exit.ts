import { AssayError, UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "./terminal/escape.ts";
import type { Screen } from "./terminal/screen.ts";

export { UsageError };

/** How a command can end (shown in --help). */
export const exitCodes = {
  fine: 0,
  /** the agent answered with an error, or with something that is no A2A */
  agent: 1,
  /** wrong usage, or an agent that cannot be reached, has no card, or asks for a login */
  usage: 2,
  /** our own error */
  ours: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Prints an error of ours, its message and its hint, and returns its exit code. */
export function complainOf(error: AssayError, screen: Screen): ExitCode {
  // Messages of usage errors are ours, and may have several lines; others may quote an agent.
  const shown = error instanceof UsageError ? (text: string) => text : escapeText;
  screen.complain(`assay: ${shown(error.message)}`);
  if (error.hint) screen.complain(shown(error.hint));
  return error.exitCode;
}

/** Rethrows an error as wrong usage of the flag that caused it, if it is one of ours. */
export const blaming =
  (flag: string) =>
  (error: unknown): never => {
    throw error instanceof AssayError ? new UsageError(`${flag}: ${error.message}`, error.hint, error) : error;
  };

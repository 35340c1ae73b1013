import { UsageError } from "@assay/protocol/assay-error";

/** A mistake in the arguments, found before any agent was contacted: its message holds no text of an agent. */
export class ArgumentError extends UsageError {}

/** Runs a function that reads only arguments, and reports its usage errors as mistakes in them. */
export async function readingArguments<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UsageError ? new ArgumentError(error.message, error.hint) : error;
  }
}

import { ApiError } from "@assay/web";
import { UsageError } from "../exit.ts";

/** What the command line says to its operator, said to the page. */
export function rethrown(error: unknown): never {
  if (error instanceof UsageError) throw new ApiError(400, error.message, error.hint);
  throw error;
}

import { AssayError } from "@assay/protocol/assay-error";
import { ApiError } from "@assay/web";

/** Converts errors of the command line to errors of the page. */
export function rethrown(error: unknown): never {
  if (error instanceof AssayError) throw new ApiError(400, error.message, error.hint);
  throw error;
}

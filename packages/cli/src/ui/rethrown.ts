import { AssayError } from "@assay/protocol/assay-error";
import { ApiError } from "@assay/web";

/** What the command line says to its operator, said to the page. */
export function rethrown(error: unknown): never {
  if (error instanceof AssayError) throw new ApiError(400, error.message, error.hint);
  throw error;
}

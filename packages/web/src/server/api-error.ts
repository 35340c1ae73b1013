import { AssayError } from "@assay/protocol/assay-error";

/** An error that the caller can fix, with the next step. */
export class ApiError extends AssayError {
  readonly status: number;

  constructor(status: number, message: string, hint?: string) {
    super({ code: "api", message, hint });
    this.status = status;
  }
}

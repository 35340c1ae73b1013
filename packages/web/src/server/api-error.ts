import { AssayError } from "@assay/protocol/assay-error";

/** What the caller can put right: what it is, and what to do next. */
export class ApiError extends AssayError {
  readonly status: number;

  constructor(status: number, message: string, hint?: string) {
    super({ code: "api", message, hint });
    this.status = status;
  }
}

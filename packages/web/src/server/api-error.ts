/** What the caller can put right: what it is, and what to do next. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

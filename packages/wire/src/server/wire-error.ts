/** Errors between a client and our server, with their HTTP status. */
const statusOf = {
  "body-too-large": 413,
  "body-timeout": 408,
  "body-malformed": 400,
  // A client that only closed its sending side can still read this.
  disconnected: 400,
  stalled: 408,
  "shutting-down": 503,
  "too-many-streams": 503,
  "caller-budget": 429,
  "total-budget": 503,
  "invalid-header": 500,
  "cannot-listen": 500,
} as const;

export type WireErrorCode = keyof typeof statusOf;

export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The HTTP status of the response. */
  get status(): number {
    return statusOf[this.code];
  }
}

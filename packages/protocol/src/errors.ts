import type { JsonObject } from "./json.ts";
import type { FieldViolation } from "./schemas/violation.ts";

/** The error mapping changed between the two patch releases (AMB-01); both are "1.0" on the wire. */
export type ErrorColumn = "1.0.0" | "1.0.1";

/** An error on each wire. */
export interface ErrorRow extends ErrorDetails {
  readonly code: number;
  readonly reason: string;
  readonly http: number;
  readonly grpc: GrpcStatus;
}

interface ErrorDetails {
  /** what the 1.0.0 text said instead */
  readonly before?: { readonly http?: number; readonly grpc?: GrpcStatus };
  /** a transport error: JSON-RPC uses the HTTP status as well, instead of 200 */
  readonly transport?: true;
  /** the draft version that adds it; released texts do not know it */
  readonly draft?: string;
}

const row = (code: number, reason: string, http: number, grpc: GrpcStatus, more: ErrorDetails = {}): ErrorRow => ({
  code,
  reason,
  http,
  grpc,
  ...more,
});

/** Every error by its name in the specification, with its number on each wire (§5.4, §9.5). */
export const errorTable = {
  TaskNotFound: row(-32001, "TASK_NOT_FOUND", 404, "NOT_FOUND"),
  TaskNotCancelable: row(-32002, "TASK_NOT_CANCELABLE", 400, "FAILED_PRECONDITION", { before: { http: 409 } }),
  PushNotificationNotSupported: row(-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED", 400, "FAILED_PRECONDITION", {
    before: { grpc: "UNIMPLEMENTED" },
  }),
  UnsupportedOperation: row(-32004, "UNSUPPORTED_OPERATION", 400, "FAILED_PRECONDITION", {
    before: { grpc: "UNIMPLEMENTED" },
  }),
  ContentTypeNotSupported: row(-32005, "CONTENT_TYPE_NOT_SUPPORTED", 400, "INVALID_ARGUMENT", {
    before: { http: 415 },
  }),
  InvalidAgentResponse: row(-32006, "INVALID_AGENT_RESPONSE", 500, "INTERNAL", { before: { http: 502 } }),
  ExtendedAgentCardNotConfigured: row(-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", 400, "FAILED_PRECONDITION"),
  ExtensionSupportRequired: row(-32008, "EXTENSION_SUPPORT_REQUIRED", 400, "FAILED_PRECONDITION"),
  VersionNotSupported: row(-32009, "VERSION_NOT_SUPPORTED", 400, "FAILED_PRECONDITION", {
    before: { grpc: "UNIMPLEMENTED" },
  }),
  TaskGenerationMismatch: row(-32010, "TASK_GENERATION_MISMATCH", 409, "ABORTED", { draft: "1.1-draft1" }),
  Parse: row(-32700, "PARSE_ERROR", 400, "INVALID_ARGUMENT"),
  InvalidRequest: row(-32600, "INVALID_REQUEST", 400, "INVALID_ARGUMENT"),
  MethodNotFound: row(-32601, "METHOD_NOT_FOUND", 404, "UNIMPLEMENTED"),
  InvalidParams: row(-32602, "INVALID_PARAMS", 400, "INVALID_ARGUMENT"),
  Internal: row(-32603, "INTERNAL_ERROR", 500, "INTERNAL"),
  // A2A names no JSON-RPC codes for these two. We use those of the Go SDK instead of inventing a third pair.
  Unauthenticated: row(-31401, "UNAUTHENTICATED", 401, "UNAUTHENTICATED", { transport: true }),
  PermissionDenied: row(-31403, "PERMISSION_DENIED", 403, "PERMISSION_DENIED", { transport: true }),
  MethodNotAllowed: row(-32600, "METHOD_NOT_ALLOWED", 405, "UNIMPLEMENTED", { transport: true }),
  RequestTimeout: row(-32600, "REQUEST_TIMEOUT", 408, "DEADLINE_EXCEEDED", { transport: true }),
  PayloadTooLarge: row(-32600, "PAYLOAD_TOO_LARGE", 413, "RESOURCE_EXHAUSTED", { transport: true }),
  MisdirectedRequest: row(-32600, "MISDIRECTED_REQUEST", 421, "INVALID_ARGUMENT", { transport: true }),
  // A2A names no code for this one either; it follows the two above.
  TooManyRequests: row(-31429, "TOO_MANY_REQUESTS", 429, "RESOURCE_EXHAUSTED", { transport: true }),
  Unavailable: row(-32603, "UNAVAILABLE", 503, "UNAVAILABLE", { transport: true }),
};

export type ErrorName = keyof typeof errorTable;

/** The errors of released texts. */
export const publishedErrors = (Object.keys(errorTable) as ErrorName[]).filter(
  (name) => errorTable[name].draft === undefined,
);

/** Returns true for a JSON-RPC code of the range that A2A reserves for its own errors (§9.5). */
export const isA2ACode = (code: number): boolean => code <= -32001 && code >= -32099;

/** The errors that A2A itself defines (§5.4), in released texts. */
export const a2aErrors = publishedErrors.filter((name) => isA2ACode(errorTable[name].code));

/** The codes of google.rpc by name. */
export const grpcStatuses = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatus = keyof typeof grpcStatuses;

/** The numbers of an error on each wire. */
export interface ErrorNumbers {
  readonly code: number;
  readonly http: number;
  readonly grpc: GrpcStatus;
  /** a transport error: JSON-RPC uses the HTTP status as well, instead of 200 */
  readonly transport: boolean;
}

/** A protocol error: what went wrong for the client, the same on every binding. */
export class A2AError extends Error {
  override readonly name = "A2AError";
  readonly kind: ErrorName;
  /** facts for the ErrorInfo, such as the task id */
  readonly facts: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];

  constructor(
    kind: ErrorName,
    message: string,
    more: { facts?: Record<string, string>; violations?: readonly FieldViolation[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.facts = more.facts ?? {};
    this.violations = more.violations ?? [];
  }

  /** Returns the numbers of this error in one of the two published tables. */
  numbers(column: ErrorColumn = "1.0.1"): ErrorNumbers {
    const row: ErrorRow = errorTable[this.kind];
    const before = column === "1.0.0" ? row.before : undefined;
    return {
      code: row.code,
      http: before?.http ?? row.http,
      grpc: before?.grpc ?? row.grpc,
      transport: row.transport ?? false,
    };
  }
}

/** Builds one error for all schema violations, with the first one in the message. */
export function invalidParams(violations: readonly FieldViolation[]): A2AError {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  const message = first ? `Invalid parameters: ${fieldOf(first)} ${first.message}${more}` : "Invalid parameters";
  return new A2AError("InvalidParams", message, { violations });
}

export const errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo";
export const badRequestType = "type.googleapis.com/google.rpc.BadRequest";
export const retryInfoType = "type.googleapis.com/google.rpc.RetryInfo";

/** Returns the typed details of an error: its reason, the invalid fields (§9.5, §10.6, §11.6), and when to retry. */
export function errorDetails(error: A2AError): JsonObject[] {
  const info: JsonObject = {
    "@type": errorInfoType,
    reason: errorTable[error.kind].reason,
    domain: "a2a-protocol.org",
    ...(Object.keys(error.facts).length ? { metadata: { ...error.facts } } : {}),
  };
  const seconds = error.facts["retryAfterSeconds"];
  const details = seconds === undefined ? [info] : [info, { "@type": retryInfoType, retryDelay: `${seconds}s` }];
  if (!error.violations.length) return details;
  const fieldViolations = error.violations.slice(0, 50).map((violation) => ({
    field: fieldOf(violation),
    description: violation.message,
  }));
  return [...details, { "@type": badRequestType, fieldViolations }];
}

/** google.rpc names fields relative to the request: `message.parts[0]`, without the leading `$.` */
const fieldOf = ({ path }: FieldViolation): string => path.replace(/^\$\.?/, "") || "request";

import type { JsonObject } from "./json.ts";
import type { FieldViolation } from "./schemas/violation.ts";

/** The error mapping changed between the two patch releases (AMB-01); both are "1.0" on the wire. */
export type ErrorColumn = "1.0.0" | "1.0.1";

/** An error on each wire. */
export interface ErrorRow {
  readonly code: number;
  readonly reason: string;
  readonly http: number;
  readonly grpc: GrpcStatus;
  /** what the 1.0.0 text said instead */
  readonly before?: { readonly http?: number; readonly grpc?: GrpcStatus };
  /** a transport error: JSON-RPC uses the HTTP status as well, instead of 200 */
  readonly transport?: true;
}

/** Every error by its name in the specification, with its number on each wire (§5.4, §9.5). */
export const errorTable = {
  TaskNotFound: { code: -32001, reason: "TASK_NOT_FOUND", http: 404, grpc: "NOT_FOUND" },
  TaskNotCancelable: {
    code: -32002,
    reason: "TASK_NOT_CANCELABLE",
    http: 400,
    grpc: "FAILED_PRECONDITION",
    before: { http: 409 },
  },
  PushNotificationNotSupported: {
    code: -32003,
    reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    http: 400,
    grpc: "FAILED_PRECONDITION",
    before: { grpc: "UNIMPLEMENTED" },
  },
  UnsupportedOperation: {
    code: -32004,
    reason: "UNSUPPORTED_OPERATION",
    http: 400,
    grpc: "FAILED_PRECONDITION",
    before: { grpc: "UNIMPLEMENTED" },
  },
  ContentTypeNotSupported: {
    code: -32005,
    reason: "CONTENT_TYPE_NOT_SUPPORTED",
    http: 400,
    grpc: "INVALID_ARGUMENT",
    before: { http: 415 },
  },
  InvalidAgentResponse: {
    code: -32006,
    reason: "INVALID_AGENT_RESPONSE",
    http: 500,
    grpc: "INTERNAL",
    before: { http: 502 },
  },
  ExtendedAgentCardNotConfigured: {
    code: -32007,
    reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    http: 400,
    grpc: "FAILED_PRECONDITION",
  },
  ExtensionSupportRequired: {
    code: -32008,
    reason: "EXTENSION_SUPPORT_REQUIRED",
    http: 400,
    grpc: "FAILED_PRECONDITION",
  },
  VersionNotSupported: {
    code: -32009,
    reason: "VERSION_NOT_SUPPORTED",
    http: 400,
    grpc: "FAILED_PRECONDITION",
    before: { grpc: "UNIMPLEMENTED" },
  },
  Parse: { code: -32700, reason: "PARSE_ERROR", http: 400, grpc: "INVALID_ARGUMENT" },
  InvalidRequest: { code: -32600, reason: "INVALID_REQUEST", http: 400, grpc: "INVALID_ARGUMENT" },
  MethodNotFound: { code: -32601, reason: "METHOD_NOT_FOUND", http: 404, grpc: "UNIMPLEMENTED" },
  InvalidParams: { code: -32602, reason: "INVALID_PARAMS", http: 400, grpc: "INVALID_ARGUMENT" },
  Internal: { code: -32603, reason: "INTERNAL_ERROR", http: 500, grpc: "INTERNAL" },
  // A2A names no JSON-RPC codes for these two. We use those of the Go SDK instead of inventing a third pair.
  Unauthenticated: { code: -31401, reason: "UNAUTHENTICATED", http: 401, grpc: "UNAUTHENTICATED", transport: true },
  PermissionDenied: {
    code: -31403,
    reason: "PERMISSION_DENIED",
    http: 403,
    grpc: "PERMISSION_DENIED",
    transport: true,
  },
  MethodNotAllowed: { code: -32600, reason: "METHOD_NOT_ALLOWED", http: 405, grpc: "UNIMPLEMENTED", transport: true },
  RequestTimeout: { code: -32600, reason: "REQUEST_TIMEOUT", http: 408, grpc: "DEADLINE_EXCEEDED", transport: true },
  PayloadTooLarge: {
    code: -32600,
    reason: "PAYLOAD_TOO_LARGE",
    http: 413,
    grpc: "RESOURCE_EXHAUSTED",
    transport: true,
  },
  MisdirectedRequest: {
    code: -32600,
    reason: "MISDIRECTED_REQUEST",
    http: 421,
    grpc: "INVALID_ARGUMENT",
    transport: true,
  },
  // A2A names no code for this one either; it follows the two above.
  TooManyRequests: {
    code: -31429,
    reason: "TOO_MANY_REQUESTS",
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    transport: true,
  },
  Unavailable: { code: -32603, reason: "UNAVAILABLE", http: 503, grpc: "UNAVAILABLE", transport: true },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof errorTable;

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

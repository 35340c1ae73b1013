import { grpcStatusesV03, httpStatusesV03 } from "./bindings/rest-v0.3.ts";
import { errorsInstead01, proseErrors } from "./dialects/v0.1/error-words.ts";
import { errorsInsteadOf } from "./dialects/v0.3/error-words.ts";
import { type ErrorName, type ErrorRow, errorTable, type GrpcStatus, isA2ACode } from "./errors.ts";
import { type DialectVersion, newestFirst } from "./versions.ts";

/** An error in one version. Bindings without a number are missing. */
export interface ErrorInVersion {
  readonly dialect: DialectVersion;
  /** its names in that version, without "Error" */
  readonly names: readonly string[];
  readonly jsonrpc?: number;
  /** the preferred status first; versions before 1.0 name none, so these are those of the SDKs */
  readonly http?: readonly number[];
  readonly grpc?: readonly GrpcStatus[];
  /** in the ErrorInfo */
  readonly reason?: string;
  /** the draft of the next version that has it; this version does not */
  readonly draft?: string;
}

/** An error in all protocol versions. */
export interface ErrorAcrossVersions {
  /** in 1.0, or in the only version that has it */
  readonly name: string;
  readonly means: string;
  /** newest first */
  readonly versions: readonly ErrorInVersion[];
  /** a JSON-RPC code that no specification names: the Go SDK and the test bed use it */
  readonly customary?: number;
  /** for versions without it: the nearest error there */
  readonly instead: readonly { readonly dialect: DialectVersion; readonly name: string; readonly jsonrpc: number }[];
}

const meanings: Record<ErrorName | keyof typeof proseErrors, string> = {
  TaskNotFound: "No task has this id, or the caller may not see it.",
  TaskNotCancelable: "The task has already ended, or can no longer be cancelled.",
  PushNotificationNotSupported: "The agent does not support push notifications.",
  UnsupportedOperation: "The agent does not support this operation, or not on a task in this state.",
  ContentTypeNotSupported:
    "A part of the message, or the requested output, has a media type that the agent does not support.",
  InvalidAgentResponse: "The agent produced an invalid response; the request was fine.",
  ExtendedAgentCardNotConfigured: "The agent declares an extended card but has none.",
  ExtensionSupportRequired: "The agent requires an extension that the client did not declare.",
  VersionNotSupported: "The agent does not support the protocol version of the request.",
  TaskGenerationMismatch: "The task has changed since the client read it: ifGenerationMatch is not its generation.",
  Parse: "The request body is not valid JSON.",
  InvalidRequest: "The body is JSON, but not a valid request.",
  MethodNotFound: "The agent has no such method or path.",
  InvalidParams: "A parameter is missing, has the wrong type or a value that is not allowed.",
  Internal: "Internal error in the agent; the request was fine.",
  Unauthenticated: "Credentials are missing or invalid.",
  PermissionDenied: "The caller is authenticated but lacks permission.",
  MethodNotAllowed: "The path does not support this HTTP method.",
  RequestTimeout: "The request did not arrive in time.",
  PayloadTooLarge: "The request is larger than the agent accepts.",
  MisdirectedRequest: "The request reached a server that is not responsible for its host.",
  TooManyRequests: "The caller sends too many requests. Retry later.",
  Unavailable: "The agent is temporarily unavailable. Retry later.",
  StreamingNotSupported: "The agent does not support streaming.",
  AuthenticationRequired: "Credentials are missing or invalid.",
  AuthorizationFailed: "The caller is authenticated but lacks permission.",
  InvalidTaskState: "The state of the task does not allow this, for example a message to a task that has ended.",
  RateLimitExceeded: "The caller sends too many requests. Retry later.",
  ResourceUnavailable: "A resource that the agent needs is temporarily unavailable.",
};

/** Former names of errors that 1.0 renamed. */
const formerly: Partial<Record<ErrorName, Partial<Record<DialectVersion, readonly string[]>>>> = {
  ExtendedAgentCardNotConfigured: { "0.3": ["AuthenticatedExtendedCardNotConfigured"] },
  UnsupportedOperation: { "0.1": ["UnsupportedOperation", "OperationNotSupported"] },
  Parse: { "1.0": ["JSONParse"], "0.3": ["JSONParse"], "0.2": ["JSONParse"], "0.1": ["JSONParse"] },
};

const replaced: Record<DialectVersion, Partial<Record<ErrorName, ErrorName>>> = {
  "1.0": {},
  "0.3": errorsInsteadOf("0.3"),
  "0.2": errorsInsteadOf("0.2.6"),
  "0.1": errorsInstead01,
};

const names = Object.keys(errorTable) as ErrorName[];

/** Every error that a protocol version defines, plus transport errors that clients also meet. */
export const errorsAcrossVersions: readonly ErrorAcrossVersions[] = [
  ...names.map(
    (name): ErrorAcrossVersions => ({
      name,
      means: meanings[name],
      ...(errorTable[name].code > -32000 && { customary: errorTable[name].code }),
      versions: newestFirst.filter((dialect) => !(name in replaced[dialect])).map((dialect) => written(name, dialect)),
      instead: newestFirst.flatMap((dialect) => {
        const nearest = replaced[dialect][name];
        return nearest ? [{ dialect, name: nearest, jsonrpc: errorTable[nearest].code }] : [];
      }),
    }),
  ),
  ...Object.entries(proseErrors).map(
    ([name, { code }]): ErrorAcrossVersions => ({
      name,
      means: meanings[name as keyof typeof proseErrors],
      versions: [{ dialect: "0.1", names: [name], jsonrpc: code }],
      instead: [],
    }),
  ),
];

function written(name: ErrorName, dialect: DialectVersion): ErrorInVersion {
  const row: ErrorRow = errorTable[name];
  // No specification names a JSON-RPC code for transport errors.
  const jsonrpc = row.transport ? {} : { jsonrpc: row.code };
  const called = { dialect, names: formerly[name]?.[dialect] ?? [name], ...jsonrpc };
  switch (dialect) {
    case "1.0": {
      // Only errors of A2A itself have a specified reason.
      const reason = isA2ACode(row.code) ? { reason: row.reason } : {};
      const [http, grpc] = [row.before?.http, row.before?.grpc];
      return {
        ...called,
        http: http === undefined ? [row.http] : [row.http, http],
        grpc: grpc === undefined ? [row.grpc] : [row.grpc, grpc],
        ...reason,
        ...(row.draft !== undefined && { draft: row.draft }),
      };
    }
    case "0.3":
    case "0.2":
      return { ...called, http: httpStatusesV03(name), grpc: grpcStatusesV03(name) };
    // 0.1 has only JSON-RPC; transport errors show in the HTTP status.
    case "0.1":
      return row.transport ? { ...called, http: [row.http] } : called;
  }
}

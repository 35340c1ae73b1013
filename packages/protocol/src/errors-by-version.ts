import { grpcStatusesV03, httpStatusesV03 } from "./bindings/rest-v0.3.ts";
import { errorsInstead01, proseErrors } from "./dialects/v0.1/error-words.ts";
import { errorsInsteadOf } from "./dialects/v0.3/error-words.ts";
import { type ErrorName, type ErrorRow, errorTable, type GrpcStatus } from "./errors.ts";
import type { DialectVersion } from "./versions.ts";

/** How one version writes an error; a binding for which it has no number is left out. */
export interface ErrorInVersion {
  readonly dialect: DialectVersion;
  /** what the texts of that version call it, without "Error" */
  readonly names: readonly string[];
  readonly jsonrpc?: number;
  /** the first is the one to use; before 1.0 no text names any, and these are those of the SDKs */
  readonly http?: readonly number[];
  readonly grpc?: readonly GrpcStatus[];
  /** in the ErrorInfo */
  readonly reason?: string;
}

/** An error with all that the versions of the protocol say about it. */
export interface ErrorAcrossVersions {
  /** in 1.0, or in the only version that has it */
  readonly name: string;
  readonly means: string;
  /** the newest first */
  readonly versions: readonly ErrorInVersion[];
  /** a code of JSON-RPC that no text names: the Go SDK writes it, and so does the test bed */
  readonly customary?: number;
  /** for versions without it: what comes nearest there */
  readonly instead: readonly { readonly dialect: DialectVersion; readonly name: string; readonly jsonrpc: number }[];
}

const meanings: Record<ErrorName | keyof typeof proseErrors, string> = {
  TaskNotFound: "There is no task with that id, or none that this caller may see.",
  TaskNotCancelable: "The task has ended already, or cannot be cancelled any more.",
  PushNotificationNotSupported: "The agent sends no push notifications.",
  UnsupportedOperation: "The agent does not offer this operation, or not on a task in this state.",
  ContentTypeNotSupported:
    "A part of the message, or the output asked for, has a media type that the agent does not take.",
  InvalidAgentResponse: "What the agent itself produced does not fit the protocol; the request was fine.",
  ExtendedAgentCardNotConfigured: "The agent announces an extended card and has none.",
  ExtensionSupportRequired: "The agent requires an extension that the client did not declare.",
  VersionNotSupported: "The agent does not speak the version of the protocol that the request names.",
  Parse: "The body of the request is no JSON.",
  InvalidRequest: "The body is JSON, and no request.",
  MethodNotFound: "The agent has no such method or path.",
  InvalidParams: "A parameter is missing, has the wrong type or a value that is not allowed.",
  Internal: "The agent broke down; the request is not to blame.",
  Unauthenticated: "Credentials are missing or not valid.",
  PermissionDenied: "The caller is known, and may not do this.",
  MethodNotAllowed: "The path takes other HTTP methods.",
  RequestTimeout: "The request did not arrive in time.",
  PayloadTooLarge: "The request is larger than the agent accepts.",
  MisdirectedRequest: "The request reached a server that does not answer for its host.",
  TooManyRequests: "The caller asks too often; the same may be tried later.",
  Unavailable: "The agent is not there for the moment; the same may be tried later.",
  StreamingNotSupported: "The agent offers no streams.",
  AuthenticationRequired: "Credentials are missing or not valid.",
  AuthorizationFailed: "The caller is known, and may not do this.",
  InvalidTaskState: "The task is in a state that does not allow this, as a message to a task that has ended.",
  RateLimitExceeded: "The caller asks too often; the same may be tried later.",
  ResourceUnavailable: "Something that the agent needs is not there for the moment.",
};

/** What older texts call an error that 1.0 has under another name. */
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

const newestFirst = ["1.0", "0.3", "0.2", "0.1"] as const;
const names = Object.keys(errorTable) as ErrorName[];

/** Every error that a version of the protocol has, and those decided below it that clients meet as well. */
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
  // What is decided below the protocol has no code of JSON-RPC that its texts would name.
  const jsonrpc = row.transport ? {} : { jsonrpc: row.code };
  const called = { dialect, names: formerly[name]?.[dialect] ?? [name], ...jsonrpc };
  switch (dialect) {
    case "1.0": {
      // Only the errors of A2A itself have a reason that is written down.
      const reason = row.code <= -32001 && row.code >= -32009 ? { reason: row.reason } : {};
      const [http, grpc] = [row.before?.http, row.before?.grpc];
      return {
        ...called,
        http: http === undefined ? [row.http] : [row.http, http],
        grpc: grpc === undefined ? [row.grpc] : [row.grpc, grpc],
        ...reason,
      };
    }
    case "0.3":
    case "0.2":
      return { ...called, http: httpStatusesV03(name), grpc: grpcStatusesV03(name) };
    // JSON-RPC is all there is; what is decided below it shows in the status of HTTP.
    case "0.1":
      return row.transport ? { ...called, http: [row.http] } : called;
  }
}

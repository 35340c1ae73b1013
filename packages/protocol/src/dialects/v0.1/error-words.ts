import type { ErrorName } from "../../errors.ts";
import { errorsWith } from "../errors.ts";

/** Errors that only the prose of 0.1 has, by its names, and what each comes nearest to in 1.0. */
export const proseErrors = {
  StreamingNotSupported: { code: -32006, nearest: "UnsupportedOperation" },
  AuthenticationRequired: { code: -32007, nearest: "Unauthenticated" },
  AuthorizationFailed: { code: -32008, nearest: "PermissionDenied" },
  // A message to a finished task.
  InvalidTaskState: { code: -32009, nearest: "UnsupportedOperation" },
  RateLimitExceeded: { code: -32010, nearest: "Unavailable" },
  ResourceUnavailable: { code: -32011, nearest: "Unavailable" },
} as const satisfies Record<string, { code: number; nearest: ErrorName }>;

export const errorsInstead01 = {
  InvalidAgentResponse: "Internal",
  ExtendedAgentCardNotConfigured: "UnsupportedOperation",
  ExtensionSupportRequired: "UnsupportedOperation",
  VersionNotSupported: "UnsupportedOperation",
} as const satisfies Partial<Record<ErrorName, ErrorName>>;

/**
 * 0.1 has the codes up to -32005 in its schema or its code. Its prose gave the next ones other meanings than later
 * versions; they are read so, and never written. Texts are constants of the schema, so ours moves into `data`.
 */
export const errors = errorsWith({
  instead: errorsInstead01,
  fields: { "message.contextId": "sessionId", "message.taskId": "id" },
  nouns: { context: "session" },
  meanings: Object.fromEntries(Object.values(proseErrors).map(({ code, nearest }) => [code, nearest])),
  texts: {
    Parse: "Invalid JSON payload",
    InvalidRequest: "Request payload validation error",
    MethodNotFound: "Method not found",
    InvalidParams: "Invalid parameters",
    Internal: "Internal error",
    TaskNotFound: "Task not found",
    TaskNotCancelable: "Task cannot be canceled",
    PushNotificationNotSupported: "Push Notification is not supported",
    UnsupportedOperation: "This operation is not supported",
  },
});

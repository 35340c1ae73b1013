import type { ErrorName } from "../../errors.ts";
import { errorsWith } from "../errors.ts";

/** Errors that only the prose of 0.1 names, with their nearest error in 1.0. */
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
  TaskGenerationMismatch: "UnsupportedOperation",
} as const satisfies Partial<Record<ErrorName, ErrorName>>;

/**
 * Codes down to -32005 are in the schema or code of 0.1. Its prose gives the next ones other meanings than later
 * versions; they are read that way and never written. The schema fixes the texts, so ours move into `data`.
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

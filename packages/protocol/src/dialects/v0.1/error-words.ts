import { errorsWith } from "../errors.ts";

/**
 * 0.1 has the codes up to -32005 in its schema or its code. Its prose gave the next ones other meanings than later
 * versions; they are read so, and never written. Texts are constants of the schema, so ours moves into `data`.
 */
export const errors = errorsWith({
  instead: {
    InvalidAgentResponse: "Internal",
    ExtendedAgentCardNotConfigured: "UnsupportedOperation",
    ExtensionSupportRequired: "UnsupportedOperation",
    VersionNotSupported: "UnsupportedOperation",
  },
  meanings: {
    // StreamingNotSupported
    [-32006]: "UnsupportedOperation",
    // AuthenticationRequired, AuthorizationFailed
    [-32007]: "Unauthenticated",
    [-32008]: "PermissionDenied",
    // InvalidTaskState: a message to a finished task
    [-32009]: "UnsupportedOperation",
    // RateLimitExceeded, ResourceUnavailable
    [-32010]: "Unavailable",
    [-32011]: "Unavailable",
  },
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

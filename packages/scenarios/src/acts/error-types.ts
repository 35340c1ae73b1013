import { type Binding, type ErrorName, errorTable } from "@assay/protocol";
import { matchesName } from "@assay/suite";
import type { PeerError, PeerInterface } from "@assay/wire";

/**
 * Maps the grammar's error names to the protocol's. Codes are the protocol's, not those of the
 * specification's §6.2, which itself says that the protocol takes precedence. The protocol lacks two of its
 * names.
 */
export const errorTypes: Readonly<Record<string, readonly ErrorName[]>> = {
  TaskNotFoundError: ["TaskNotFound"],
  TaskNotCancelableError: ["TaskNotCancelable"],
  UnsupportedOperationError: ["UnsupportedOperation"],
  ContentTypeNotSupportedError: ["ContentTypeNotSupported"],
  InvalidParamsError: ["InvalidParams"],
  VersionNotSupportedError: ["VersionNotSupported"],
  PushNotificationNotSupportedError: ["PushNotificationNotSupported"],
  StreamingNotSupportedError: ["UnsupportedOperation"],
  ExtensionSupportRequiredError: ["ExtensionSupportRequired"],
  ExtendedCardNotSupportedError: ["ExtendedAgentCardNotConfigured", "UnsupportedOperation"],
  JSONParseError: ["Parse"],
  MethodNotFoundError: ["MethodNotFound"],
  InternalError: ["Internal"],
};

/** Returns another protocol error by its own name: rule `protocol-error-name`. */
export function protocolErrorType(type: string): ErrorName | undefined {
  const name = type.replace(/Error$/, "");
  return type.endsWith("Error") && Object.hasOwn(errorTable, name) ? (name as ErrorName) : undefined;
}

/** Returns the errors of a type; undefined for an unknown one. */
export const errorNamesOf = (type: string): readonly ErrorName[] | undefined => {
  if (Object.hasOwn(errorTypes, type)) return errorTypes[type];
  const name = protocolErrorType(type);
  return name && [name];
};

/** Returns true if an error has a name; the tables of 1.0.0 and 1.0.1 both count. */
export const isErrorNamed = (
  error: PeerError,
  on: Pick<PeerInterface, "binding" | "dialect">,
  name: ErrorName,
): boolean => matchesName(error, name, on) !== undefined;

/** Formats the error of a binding. */
export function wantedError(name: ErrorName, binding: Binding): string {
  const { code, http, grpc, reason } = errorTable[name];
  switch (binding) {
    case "JSONRPC":
      return `error code ${code}`;
    case "HTTP+JSON":
      return `HTTP ${http} with reason ${reason}`;
    case "GRPC":
      return `status ${grpc} with reason ${reason}`;
  }
}

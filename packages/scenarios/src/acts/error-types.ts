import { type Binding, type ErrorName, errorTable } from "@assay/protocol";
import { matchesName } from "@assay/suite";
import type { PeerError, PeerInterface } from "@assay/wire";

/**
 * The errors by the names of the grammar, and what the protocol calls them. Numbers are the protocol's, never those of
 * the specification's §6.2, which says itself that the protocol takes precedence; two of its names the protocol does
 * not have at all.
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

/** Every other error of the protocol, by its own name: rule `protocol-error-name`. */
export function protocolErrorType(type: string): ErrorName | undefined {
  const name = type.replace(/Error$/, "");
  return type.endsWith("Error") && Object.hasOwn(errorTable, name) ? (name as ErrorName) : undefined;
}

/** What a type stands for; undefined where there is no such error. */
export const errorNamesOf = (type: string): readonly ErrorName[] | undefined => {
  if (Object.hasOwn(errorTypes, type)) return errorTypes[type];
  const name = protocolErrorType(type);
  return name && [name];
};

/** Whether an error is the one of a name; the table of 1.0.0 is as good as that of 1.0.1. */
export const isErrorNamed = (
  error: PeerError,
  on: Pick<PeerInterface, "binding" | "dialect">,
  name: ErrorName,
): boolean => matchesName(error, name, on) !== undefined;

/** The error as a binding writes it. */
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

import {
  type Binding,
  type DialectVersion,
  type ErrorName,
  errorTable,
  grpcStatusesV03,
  httpStatusesV03,
  isA2ACode,
} from "@assay/protocol";
import type { PeerError, PeerInterface } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { breach, crashed, type Details, type Finding, holds } from "../define/finding.ts";
import { isEmptyDeletion } from "./empty-deletion.ts";
import { isNamed } from "./error-names.ts";
import { describeReply, errorOf, isBrokenOff, numberOf } from "./reading.ts";
import { isNotServed, isPage } from "./served.ts";
import { assertReadable } from "./unreadable-events.ts";

/** Separates errors whose number and reason A2A defines from errors of the binding. */
const ofA2A = (name: ErrorName): boolean => isA2ACode(errorTable[name].code);

/**
 * Checks that a request was refused with the error that the specification names, on any binding. The error table of
 * 1.0.0 is accepted like that of 1.0.1 if the reason is right (AMB-01). Other rules judge the format of the error.
 */
export function expectError(
  call: Call,
  name: ErrorName,
  more: {
    /** subject of the message: "GetTask with an unknown id" */
    readonly what: string;
    /** errors that a lenient reading allows too, each with a warning */
    readonly also?: readonly ErrorName[];
  },
): Finding {
  const { what, also = [] } = more;
  const details = { saw: describeReply(call), want: wanted(name, call), at: call };
  const error = errorOf(call);
  if (!error) return unrefused(call, name, what, details);
  const match = matches(call, name);
  if (match === "new") return holds();
  const message = `${what} returns ${mismatch(call, error, name)}`;
  if (match === "old") return breach("error-table-1.0.0", `${message} since 1.0.1`, details);
  // Errors share HTTP statuses, so an A2A reason decides which error it is.
  const own = nameOf(error, call);
  if (also.some((each) => matches(call, each) && (own === undefined || own === each)))
    return breach("related-error", message, details);
  if (isUnnamed(error, name, call)) return breach("unnamed-old-status", message, details);
  if (isInternal(call)) {
    return breach(codeOfBreakdown(call), `${what} returns an internal error`, details);
  }
  return breach(causeIn(call) ?? (isRefusal(call) ? "other-error" : "broken"), message, details);
}

/** Returns the cause of an unexpected error, if the response shows one that other rules report too. */
function causeIn(call: Call): "operation-not-served" | "operation-unsupported" | undefined {
  // Before 1.0, only JSON-RPC has a distinct number for each error.
  if (call.on.dialect !== "1.0" && call.on.binding !== "JSONRPC") return undefined;
  // A stream may also be refused this way because of the message; CAP-002 knows whether the agent streams.
  if (call.on.dialect === "1.0" && isNamed(call, "UnsupportedOperation")) return "operation-unsupported";
  return isNotServed(call) ? "operation-not-served" : undefined;
}

/**
 * Recognises a status of the 1.0.0 table without a reason. Several errors share it, so the error is unknown (AMB-01).
 */
function isUnnamed({ reason, http, grpc }: PeerError, name: ErrorName, { on }: Call): boolean {
  const { before }: { before?: { http?: number; grpc?: string } } = errorTable[name] as never;
  if (on.dialect !== "1.0" || reason !== undefined || !before) return false;
  return on.binding === "GRPC" ? grpc?.status === before.grpc : on.binding === "HTTP+JSON" && http === before.http;
}

/** Judges a response without an error: no response at all, a malformed one, or a success. */
function unrefused(call: Call, name: ErrorName, what: string, details: Details): Finding {
  // The error may be in an unreadable event.
  assertReadable(call);
  if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
  if (call.reply.is === "malformed" && !isEmptyDeletion(call)) {
    return breach(codeOfForm(call, name), `${what} returns a malformed response instead of an error`, details);
  }
  if (isBrokenOff(call)) return crashed(`${what} opens a stream that breaks off before its first event`, details);
  const isSilent = call.reply.is === "stream" && call.reply.events.length === 0 && !call.reply.failure;
  return breach(
    "accepted",
    isSilent ? `${what} opens a stream that ends without an event` : `${what} returns no error`,
    details,
  );
}

/** Returns the breach code for a malformed response where the named error is expected. */
export const codeOfForm = (call: Call, name: ErrorName): "page-not-found" | "error-not-in-binding-form" | "broken" =>
  isPage(call) ? "page-not-found" : hasStatusOf(name, call) ? "error-not-in-binding-form" : "broken";

/** The HTTP status matches the expected error although the format is wrong; over JSON-RPC, any 4xx does. */
function hasStatusOf(name: ErrorName, { on, exchange }: Call): boolean {
  const status = exchange.http.response?.status ?? 0;
  if (on.binding === "JSONRPC") return status >= 400 && status < 500;
  return on.dialect === "1.0" ? status === errorTable[name].http : httpStatusesV03(name).includes(status);
}

/** Returns the code of an internal error. A JSON-RPC number without HTTP 5xx may have been chosen on purpose. */
export const codeOfBreakdown = (call: Call): "internal-error-number" | "crashed" =>
  call.on.binding === "JSONRPC" && (errorOf(call)?.http ?? 500) < 500 ? "internal-error-number" : "crashed";

/**
 * "-32601, expected -32002 (TaskNotCancelable)"; only names if both errors have one, as they are the same on every
 * binding.
 */
export function mismatch(call: Call, error: PeerError, name: ErrorName): string {
  const own = nameOf(error, call);
  if (own !== undefined && own !== name) return `${own}, expected ${name}`;
  return `${numberOf(error)}, expected ${numberFor(name, call)} (${name})`;
}

/** Returns the name of an A2A error. Errors of the binding share numbers, so they have none. */
function nameOf({ code, reason }: PeerError, { on: { binding, dialect } }: Call): ErrorName | undefined {
  const names = (Object.keys(errorTable) as ErrorName[]).filter(ofA2A);
  const byReason = names.find((name) => errorTable[name].reason === reason);
  if (byReason !== undefined || binding !== "JSONRPC") return byReason;
  // Version 0.1 gave the numbers from -32006 on other meanings.
  return names.find((name) => errorTable[name].code === code && (dialect !== "0.1" || errorTable[name].code > -32006));
}

/** Compares the error of a response with a named one: `new` by the current table, `old` by the table of 1.0.0. */
export function matches(call: Call, name: ErrorName): "new" | "old" | undefined {
  const error = errorOf(call);
  return error && matchesName(error, name, call.on);
}

/** Compares an error that was read elsewhere in the same way. */
export function matchesName(
  error: PeerError,
  name: ErrorName,
  { dialect, binding }: Pick<PeerInterface, "dialect" | "binding">,
): "new" | "old" | undefined {
  if (dialect !== "1.0") return matchesOlder(error, name, binding) ? "new" : undefined;
  const row: { code: number; http: number; grpc: string; reason: string; before?: { http?: number; grpc?: string } } =
    errorTable[name];
  // A reason that names another error outweighs the number.
  if (ofA2A(name) && error.reason !== undefined && error.reason !== row.reason) return undefined;
  const named = error.reason === row.reason;
  switch (binding) {
    case "JSONRPC":
      return error.code === row.code ? "new" : undefined;
    case "HTTP+JSON":
      if (error.http === row.http) return "new";
      return named && error.http === row.before?.http ? "old" : undefined;
    case "GRPC":
      if (error.grpc?.status === row.grpc) return "new";
      return named && error.grpc?.status === row.before?.grpc ? "old" : undefined;
  }
}

/**
 * Before 1.0, only JSON-RPC defines error numbers. For HTTP+JSON and gRPC, 0.3 asks for "appropriate" ones: this
 * accepts the numbers that its SDKs use (docs/spec/dialects.md §5.3, §5.4), in any format.
 */
function matchesOlder(error: PeerError, name: ErrorName, binding: Binding): boolean {
  switch (binding) {
    case "JSONRPC":
      return error.code === errorTable[name].code;
    case "HTTP+JSON":
      return httpStatusesV03(name).includes(error.http);
    case "GRPC":
      return error.grpc?.status !== undefined && grpcStatusesV03(name).includes(error.grpc.status);
  }
}

/** Errors for invalid requests, by version. Before 1.0, the schemas describe both errors that way. */
const validationErrors: Record<DialectVersion, readonly ErrorName[]> = {
  "1.0": ["InvalidParams"],
  "0.3": ["InvalidParams", "InvalidRequest"],
  "0.2": ["InvalidParams", "InvalidRequest"],
  "0.1": ["InvalidParams", "InvalidRequest"],
};

/** Checks that a refusal is a validation error (§3.3.2): a number named there, or an equivalent one. */
export function expectInvalid(call: Call, what: string): Finding {
  const details = { saw: describeReply(call), want: wanted("InvalidParams", call), at: call };
  const error = errorOf(call);
  if (!error) return unrefused(call, "InvalidParams", what, details);
  if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
  if (validationErrors[call.on.dialect].some((name) => matches(call, name))) return holds();
  const message = `${what} returns ${mismatch(call, error, "InvalidParams")}`;
  return breach(
    isNotServed(call) ? "operation-not-served" : isRefusal(call) ? "not-a-validation-error" : "broken",
    message,
    details,
  );
}

/** Recognises an internal error. It is never a valid response to a request that the agent understood. */
export function isInternal(call: Call): boolean {
  const error = errorOf(call);
  // InvalidAgentResponse shares its status with internal errors, but is deliberate.
  if (!error || isNamed(call, "InvalidAgentResponse")) return false;
  switch (call.on.binding) {
    case "JSONRPC":
      return error.code === errorTable.Internal.code || (error.code === undefined && error.http >= 500);
    case "HTTP+JSON":
      return error.http >= 500 && error.http !== 501 && error.http !== 503 && error.http !== 504;
    case "GRPC":
      return (
        error.grpc?.status === "INTERNAL" || error.grpc?.status === "UNKNOWN" || error.grpc?.status === "DATA_LOSS"
      );
  }
}

/** Recognises an overloaded or temporarily unavailable agent: a retry is fair. */
export function isPassing(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return call.exchange.http.response?.status === 503 || call.exchange.http.response?.status === 429;
  if (error.http === 429 || error.http === 503) return true;
  return error.grpc?.status === "UNAVAILABLE" || error.grpc?.status === "RESOURCE_EXHAUSTED";
}

/**
 * Recognises the response of a gateway whose agent does not respond. With an error of the binding it is the agent's
 * own.
 */
export function isOfGateway({ reply, exchange }: Call): boolean {
  const status = exchange.http.response?.status;
  return reply.is === "malformed" && (status === 502 || status === 504 || status === 408);
}

/** Recognises a refusal that blames the request, with any number. */
export function isRefusal(call: Call): boolean {
  const error = errorOf(call);
  if (!error || isInternal(call)) return false;
  switch (call.on.binding) {
    case "JSONRPC":
      return error.code !== undefined && error.code < 0;
    case "HTTP+JSON":
      return error.http >= 400 && error.http < 500;
    case "GRPC":
      return error.grpc !== undefined && error.grpc.code !== 0;
  }
}

/** Recognises "not found" with any reason: none is defined for a push configuration (AMB-14). */
export const isNotFound = (call: Call): boolean => {
  if (matches(call, "TaskNotFound")) return true;
  if (!isRefusal(call) || call.reply.is !== "error") return false;
  const { error } = call.reply;
  return error.code === -32001 || error.http === 404 || error.grpc?.status === "NOT_FOUND";
};

/** Describes the expected error in the notation of the binding, for `want`. */
export function wanted(name: ErrorName, { on }: Pick<Call, "on">): string {
  const own = ofA2A(name) && on.dialect === "1.0" ? ` with reason ${errorTable[name].reason}` : "";
  switch (on.binding) {
    case "JSONRPC":
      return `error.code ${errorTable[name].code} (${name})`;
    case "HTTP+JSON":
    case "GRPC":
      return `${numberFor(name, { on })}${own}`;
  }
}

function numberFor(name: ErrorName, { on: { binding } }: Pick<Call, "on">): string {
  const { code, http, grpc } = errorTable[name];
  switch (binding) {
    case "JSONRPC":
      return `${code}`;
    case "HTTP+JSON":
      return `HTTP ${http}`;
    case "GRPC":
      return grpc;
  }
}

import {
  type Binding,
  type DialectVersion,
  type ErrorName,
  errorTable,
  grpcStatusesV03,
  httpStatusesV03,
} from "@assay/protocol";
import type { PeerError, PeerInterface } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { breach, crashed, type Details, type Finding, holds } from "../define/finding.ts";
import { isEmptyDeletion } from "./empty-deletion.ts";
import { isNamed } from "./error-names.ts";
import { describeReply, errorOf, isBrokenOff, numberOf } from "./reading.ts";
import { isNotServed, isPage } from "./served.ts";
import { assertReadable } from "./unreadable-events.ts";

/** The errors whose number and reason are A2A's own; the rest are those of the binding. */
const ofA2A = (name: ErrorName): boolean => errorTable[name].code <= -32001 && errorTable[name].code >= -32099;

/**
 * Whether a request was refused with the error that the specification names for it, on whichever binding. The table of
 * 1.0.0 is as good as that of 1.0.1 where the reason is right (AMB-01); how an error is dressed is for other rules.
 */
export function expectError(
  call: Call,
  name: ErrorName,
  more: {
    /** in the place of "it": "GetTask with an unknown id" */
    readonly what: string;
    /** errors that a fair reading allows too, each with a warning */
    readonly also?: readonly ErrorName[];
  },
): Finding {
  const { what, also = [] } = more;
  const details = { saw: describeReply(call), want: wanted(name, call), at: call };
  const error = errorOf(call);
  if (!error) return unrefused(call, name, what, details);
  const match = matches(call, name);
  if (match === "new") return holds();
  const message = `${what} is answered with ${mismatch(call, error, name)}`;
  if (match === "old") return breach("error-table-1.0.0", `${message} since 1.0.1`, details);
  // Errors share their status over HTTP: a name of A2A's own says which it is.
  const own = nameOf(error, call);
  if (also.some((each) => matches(call, each) && (own === undefined || own === each)))
    return breach("related-error", message, details);
  if (isUnnamed(error, name, call)) return breach("unnamed-old-status", message, details);
  if (isInternal(call)) {
    return breach(codeOfBreakdown(call), `${what} is answered with an internal error`, details);
  }
  return breach(causeIn(call) ?? (isRefusal(call) ? "other-error" : "broken"), message, details);
}

/** The cause behind an error that was not expected, where the answer shows one that other rules see too. */
function causeIn(call: Call): "operation-not-served" | "operation-unsupported" | undefined {
  // Before 1.0 the other bindings have no numbers that tell one error from another.
  if (call.on.dialect !== "1.0" && call.on.binding !== "JSONRPC") return undefined;
  // A stream may be refused so for what the message says as well: CAP-002 knows whether there are streams.
  if (call.on.dialect === "1.0" && isNamed(call, "UnsupportedOperation")) return "operation-unsupported";
  return isNotServed(call) ? "operation-not-served" : undefined;
}

/** The status that 1.0.0 names for the error, which others share: nothing says which one is meant (AMB-01). */
function isUnnamed({ reason, http, grpc }: PeerError, name: ErrorName, { on }: Call): boolean {
  const { before }: { before?: { http?: number; grpc?: string } } = errorTable[name] as never;
  if (on.dialect !== "1.0" || reason !== undefined || !before) return false;
  return on.binding === "GRPC" ? grpc?.status === before.grpc : on.binding === "HTTP+JSON" && http === before.http;
}

/** No error came back: nothing at all, nothing of the binding, or what was asked for. */
function unrefused(call: Call, name: ErrorName, what: string, details: Details): Finding {
  // The refusal may be in an event that cannot be read.
  assertReadable(call);
  if (call.reply.is === "failure") return crashed(`${what} got no answer`, details);
  if (call.reply.is === "malformed" && !isEmptyDeletion(call)) {
    return breach(codeOfForm(call, name), `${what} is answered with no error of the binding`, details);
  }
  if (isBrokenOff(call)) return crashed(`${what} opens a stream that breaks off before its first event`, details);
  const isSilent = call.reply.is === "stream" && call.reply.events.length === 0 && !call.reply.failure;
  return breach(
    "accepted",
    isSilent ? `${what} opens a stream that ends without an event` : `${what} is accepted`,
    details,
  );
}

/** The code of an answer that is no error of the binding, where one of this name is expected. */
export const codeOfForm = (call: Call, name: ErrorName): "page-not-found" | "error-not-in-binding-form" | "broken" =>
  isPage(call) ? "page-not-found" : hasStatusOf(name, call) ? "error-not-in-binding-form" : "broken";

/** The HTTP status says what an error in the form of the binding would say; over JSON-RPC, that there is an error. */
function hasStatusOf(name: ErrorName, { on, exchange }: Call): boolean {
  const status = exchange.http.response?.status ?? 0;
  if (on.binding === "JSONRPC") return status >= 400 && status < 500;
  return on.dialect === "1.0" ? status === errorTable[name].http : httpStatusesV03(name).includes(status);
}

/** The code of an internal error. Where only JSON-RPC tells of it, it may have been chosen on purpose. */
export const codeOfBreakdown = (call: Call): "internal-error-number" | "crashed" =>
  call.on.binding === "JSONRPC" && (errorOf(call)?.http ?? 500) < 500 ? "internal-error-number" : "crashed";

/** "-32601, expected -32002 (TaskNotCancelable)"; by names alone where both have one, which are alike on every binding. */
export function mismatch(call: Call, error: PeerError, name: ErrorName): string {
  const own = nameOf(error, call);
  if (own !== undefined && own !== name) return `${own}, expected ${name}`;
  return `${numberOf(error)}, expected ${numberFor(name, call)} (${name})`;
}

/** What an error of A2A is called; those of the bindings share their numbers. */
function nameOf({ code, reason }: PeerError, { on: { binding, dialect } }: Call): ErrorName | undefined {
  const names = (Object.keys(errorTable) as ErrorName[]).filter(ofA2A);
  const byReason = names.find((name) => errorTable[name].reason === reason);
  if (byReason !== undefined || binding !== "JSONRPC") return byReason;
  // The text of 0.1 gave the numbers from -32006 on other meanings.
  return names.find((name) => errorTable[name].code === code && (dialect !== "0.1" || errorTable[name].code > -32006));
}

/** Whether a request was refused with the error of a name: by the table of now, by that of 1.0.0, or not at all. */
export function matches(call: Call, name: ErrorName): "new" | "old" | undefined {
  const error = errorOf(call);
  return error && matchesName(error, name, call.on);
}

/** The same for an error that was read elsewhere. */
export function matchesName(
  error: PeerError,
  name: ErrorName,
  { dialect, binding }: Pick<PeerInterface, "dialect" | "binding">,
): "new" | "old" | undefined {
  if (dialect !== "1.0") return matchesOlder(error, name, binding) ? "new" : undefined;
  const row: { code: number; http: number; grpc: string; reason: string; before?: { http?: number; grpc?: string } } =
    errorTable[name];
  // A reason that names another error contradicts whatever the number says.
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
 * Before 1.0 only JSON-RPC has numbers of its own. For HTTP+JSON and gRPC the text of 0.3 asks for "appropriate" ones:
 * these are those that its SDKs use (docs/spec/dialects.md §5.3, §5.4), and how they dress an error is their own affair.
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

/** The errors by which a version says that a request is not valid; before 1.0 its schemas describe both so. */
const validationErrors: Record<DialectVersion, readonly ErrorName[]> = {
  "1.0": ["InvalidParams"],
  "0.3": ["InvalidParams", "InvalidRequest"],
  "0.2": ["InvalidParams", "InvalidRequest"],
  "0.1": ["InvalidParams", "InvalidRequest"],
};

/** Whether a refusal is one of the validation class (§3.3.2): the numbers named there, or others that mean as much. */
export function expectInvalid(call: Call, what: string): Finding {
  const details = { saw: describeReply(call), want: wanted("InvalidParams", call), at: call };
  const error = errorOf(call);
  if (!error) return unrefused(call, "InvalidParams", what, details);
  if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
  if (validationErrors[call.on.dialect].some((name) => matches(call, name))) return holds();
  const message = `${what} is answered with ${mismatch(call, error, "InvalidParams")}`;
  return breach(
    isNotServed(call) ? "operation-not-served" : isRefusal(call) ? "not-a-validation-error" : "broken",
    message,
    details,
  );
}

/** Breaking down where the request was understood: never an answer. */
export function isInternal(call: Call): boolean {
  const error = errorOf(call);
  // An agent that calls its own answer invalid has not broken down, though the error shares its status.
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

/** Pressed, or not there for the moment: asking again is fair. */
export function isPassing(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return call.exchange.http.response?.status === 503 || call.exchange.http.response?.status === 429;
  if (error.http === 429 || error.http === 503) return true;
  return error.grpc?.status === "UNAVAILABLE" || error.grpc?.status === "RESOURCE_EXHAUSTED";
}

/** What a gateway says in the place of an agent that does not answer it; with an error of the binding it is the agent's own. */
export function isOfGateway({ reply, exchange }: Call): boolean {
  const status = exchange.http.response?.status;
  return reply.is === "malformed" && (status === 502 || status === 504 || status === 408);
}

/** A refusal that puts the blame on the request, with whichever number. */
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

/** Not found, under whichever reason: none is defined for a configuration (AMB-14). */
export const isNotFound = (call: Call): boolean => {
  if (matches(call, "TaskNotFound")) return true;
  if (!isRefusal(call) || call.reply.is !== "error") return false;
  const { error } = call.reply;
  return error.code === -32001 || error.http === 404 || error.grpc?.status === "NOT_FOUND";
};

/** The error as the binding writes it, for the line that says what we wanted. */
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

import { type Binding, type ErrorName, errorTable } from "@assay/protocol";
import type { PeerError, PeerInterface } from "@assay/wire";
import type { Call } from "./call.ts";
import { breach, broken, crashed, type Finding, holds, odd } from "./finding.ts";
import { describeReply, errorOf } from "./reading.ts";

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
  const want = wanted(name, call);
  const error = errorOf(call);
  const saw = describeReply(call);
  const details = { saw, want, at: call };
  if (!error) {
    if (call.reply.is === "failure") return crashed(`${what} got no answer`, details);
    if (call.reply.is === "malformed") return broken(`${what} is answered with no error of the binding`, details);
    return broken(`${what} is answered as if nothing were wrong`, details);
  }
  const match = matches(call, name);
  if (match === "new") return holds();
  if (match === "old") return breach("error-table-1.0.0", `${what} is answered with the numbers of 1.0.0`, details);
  const other = also.find((each) => matches(call, each));
  if (other) return odd(`${what} is answered with ${other} where ${name} is expected`, details);
  // Servers of before 1.0 use the number of internal errors for refusals that they know (docs/spec/dialects.md §5).
  const isDeliberate = call.on.dialect !== "1.0" && call.on.binding === "JSONRPC" && error.http < 500;
  if (isInternal(call)) return (isDeliberate ? broken : crashed)(`${what} is answered with an internal error`, details);
  // Nothing says which number an error of 0.3 has there.
  if (call.on.dialect !== "1.0" && call.on.binding !== "JSONRPC" && isRefusal(call))
    return odd(`${what} is refused with another status than ${name} usually has`, details);
  const named = nameIn(call);
  if (named === name) return broken(`${what} is answered with the right reason under another status`, details);
  return broken(`${what} is answered with ${named ?? "another error"} where ${name} is expected`, details);
}

/** What an error of A2A is called; those of the bindings share their numbers. */
function nameIn(call: Call): ErrorName | undefined {
  const error = errorOf(call);
  // The text of 0.1 gave the numbers from -32006 on other meanings.
  if (call.on.dialect === "0.1" && (error?.code ?? 0) <= -32006 && (error?.code ?? 0) >= -32099) return undefined;
  const names = (Object.keys(errorTable) as ErrorName[]).filter(ofA2A);
  return call.on.binding === "JSONRPC"
    ? names.find((name) => errorTable[name].code === error?.code)
    : names.find((name) => errorTable[name].reason === error?.reason);
}

/** Whether a request was refused with the error of a name: by the table of now, by that of 1.0.0, or not at all. */
export function matches(call: Call, name: ErrorName): "new" | "old" | undefined {
  const error = errorOf(call);
  return error && matchesName(error, name, call.on);
}

/** The same for an error that somebody else has read. */
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
  const row: { code: number; http: number; grpc: string; before?: { http?: number; grpc?: string } } = errorTable[name];
  switch (binding) {
    case "JSONRPC":
      return error.code === row.code;
    case "HTTP+JSON":
      return [row.http, row.before?.http, ...(olderStatuses[name] ?? [])].includes(error.http);
    case "GRPC":
      return [row.grpc, row.before?.grpc].includes(error.grpc?.status);
  }
}

const olderStatuses: Partial<Record<ErrorName, readonly number[]>> = {
  TaskNotCancelable: [400, 409],
  PushNotificationNotSupported: [400, 501],
  UnsupportedOperation: [400, 501],
  ContentTypeNotSupported: [400, 415],
  InvalidParams: [400, 422],
  InvalidRequest: [400, 422],
  ExtendedAgentCardNotConfigured: [400, 404],
};

/** Whether a refusal is one of the validation class (§3.3.2): the numbers named there, or others that mean as much. */
export function expectInvalid(call: Call, what: string): Finding {
  const error = errorOf(call);
  const saw = describeReply(call);
  const details = { saw, want: wanted("InvalidParams", call), at: call };
  if (!error) {
    if (call.reply.is === "failure") return crashed(`${what} got no answer`, details);
    if (call.reply.is === "malformed") return broken(`${what} is answered with no error of the binding`, details);
    return broken(`${what} is accepted`, details);
  }
  if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
  if (matches(call, "InvalidParams")) return holds();
  // The schemas before 1.0 describe that error as one of validation, too, and servers use it so.
  if (call.on.dialect !== "1.0" && matches(call, "InvalidRequest")) return holds();
  return isRefusal(call)
    ? odd(`${what} is refused with another error than a validation error`, details)
    : broken(`${what} is answered with something else than a validation error`, details);
}

/** Breaking down where the request was understood: never an answer. */
export function isInternal(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return false;
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

/** The error as the binding writes it, for the line that says what we wanted. */
export function wanted(name: ErrorName, { on }: Call): string {
  const { code, http, grpc, reason } = errorTable[name];
  const own = ofA2A(name) && on.dialect === "1.0" ? ` with reason ${reason}` : "";
  switch (on.binding) {
    case "JSONRPC":
      return `error.code ${code} (${name})`;
    case "HTTP+JSON":
      return `HTTP ${http}${own}`;
    case "GRPC":
      return `${grpc}${own}`;
  }
}

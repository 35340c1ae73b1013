import {
  type Binding,
  type DialectVersion,
  isObject,
  isStreaming,
  type JsonObject,
  type JsonValue,
  jsonIn,
  matchRouteV03,
  type Operation,
  operations,
  readQueryV03,
} from "@assay/protocol";
import { grpcMessagesIn, grpcStatuses, readStatusDetails } from "@assay/protocol/grpc";
import type { ExchangeRecorded } from "@assay/suite/report";
import { decodeStatusMessage, type HarEntry, sseDataIn } from "@assay/wire";

/** A recorded call to an older interface. Messages of gRPC are in ProtoJSON. */
export interface RecordedCall {
  /** the id of the exchange */
  readonly id: string;
  readonly operation: Operation;
  readonly dialect: DialectVersion;
  readonly binding: Binding;
  readonly during?: string;
  readonly request: {
    readonly verb: string;
    /** with the query */
    readonly path: string;
    /** the address of the interface, as a path without a slash at the end */
    readonly base: string;
    readonly extensions?: string;
    readonly contentType?: string;
    readonly body?: JsonValue;
    /** the parameters of the operation, as the version writes them */
    readonly params: JsonObject;
  };
  readonly response: {
    readonly status: number;
    readonly contentType?: string;
    readonly body?: JsonValue;
    /** the data of server-sent events */
    readonly events?: readonly JsonValue[];
    /** the status of a gRPC call that failed; its message and details are the body */
    readonly grpcStatus?: string;
  };
}

/** Reads a recorded exchange; undefined if its request or response cannot be read as JSON. */
export function readExchange({
  id,
  operation,
  interface: on,
  during,
  entry,
}: ExchangeRecorded): RecordedCall | undefined {
  if (!operation || !Object.hasOwn(operations, operation) || !on || on.dialect === "1.0") return undefined;
  const { binding, dialect, url } = on;
  if (binding !== "JSONRPC" && binding !== "HTTP+JSON" && binding !== "GRPC") return undefined;
  const asked = { operation: operation as Operation, binding, dialect, base: pathOf(url).replace(/\/+$/, "") } as const;
  const isGrpc = binding === "GRPC";
  const request = isGrpc ? grpcRequest(entry, dialect) : requestOf(entry.request, asked);
  const response = isGrpc ? grpcResponse(entry, asked.operation) : responseOf(entry.response);
  if (!request || !response) return undefined;
  return {
    id,
    operation: asked.operation,
    dialect: dialect as DialectVersion,
    binding,
    ...(during !== undefined && { during }),
    request,
    response,
  };
}

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  } catch {
    return "/";
  }
}

function requestOf(
  { method: verb, url, headers, postData }: HarEntry["request"],
  { operation, binding, base, dialect }: { operation: Operation; binding: Binding; base: string; dialect: string },
): RecordedCall["request"] | undefined {
  const path = pathOf(url);
  if (namesOtherVersion(headers, dialect)) return undefined;
  const body = postData?._encoding === undefined ? jsonIn(postData?.text) : undefined;
  const params =
    binding === "JSONRPC" ? paramsOf(operation, body) : restParams(operation, verb, path.slice(base.length), body);
  if (!params) return undefined;
  const [extensions, contentType] = [field(headers, "x-a2a-extensions"), field(headers, "content-type")];
  return {
    verb,
    path,
    base,
    params,
    ...(extensions !== undefined && { extensions }),
    ...(contentType !== undefined && { contentType }),
    ...(body !== undefined && { body }),
  };
}

/** Returns true for a request that provokes an error on purpose: it names another version. */
function namesOtherVersion(headers: HarEntry["request"]["headers"], dialect: string): boolean {
  const version = field(headers, "a2a-version") ?? "";
  return version !== "" && version !== dialect;
}

const field = (headers: HarEntry["request"]["headers"], wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value;

const bytesOf = (text: string, encoding: string | undefined): Uint8Array =>
  Buffer.from(text, encoding === "base64" ? "base64" : "utf8");

function grpcRequest({ request }: HarEntry, dialect: string): RecordedCall["request"] | undefined {
  const { url, headers, postData } = request;
  if (namesOtherVersion(headers, dialect)) return undefined;
  const [params] = (postData && grpcMessagesIn(bytesOf(postData.text, postData._encoding), url, "request")) ?? [];
  if (!isObject(params)) return undefined;
  const extensions = field(headers, "x-a2a-extensions");
  return {
    verb: request.method,
    path: pathOf(url),
    base: "",
    params: params as JsonObject,
    body: params as JsonObject,
    ...(extensions !== undefined && { extensions }),
  };
}

/** Statuses of the network and of a busy agent. They say nothing about the request. */
const ofNetwork: readonly string[] = ["CANCELLED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED", "UNAVAILABLE"];

function grpcResponse({ request, response }: HarEntry, operation: Operation): RecordedCall["response"] | undefined {
  const { status, headers, content, _trailers: trailers = [] } = response;
  const ending = field(trailers, "grpc-status") === undefined ? headers : trailers;
  const number = field(ending, "grpc-status");
  if (number !== "0") return grpcFailure(status, number, ending);
  const messages = grpcMessagesIn(bytesOf(content.text, content.encoding), request.url, "answer");
  if (!messages?.length) return undefined;
  return { status, ...(isStreaming(operation) ? { events: messages } : { body: messages[0]! }) };
}

function grpcFailure(
  status: number,
  number: string | undefined,
  ending: HarEntry["response"]["headers"],
): RecordedCall["response"] | undefined {
  const grpcStatus = Object.entries(grpcStatuses).find(([, known]) => String(known) === number)?.[0];
  if (grpcStatus === undefined || ofNetwork.includes(grpcStatus)) return undefined;
  const bin = field(ending, "grpc-status-details-bin");
  const told = bin === undefined ? undefined : readStatusDetails(bytesOf(bin, "base64"));
  const message = decodeStatusMessage(field(ending, "grpc-message") ?? "") || (told?.message ?? "");
  return { status, grpcStatus, body: { message, ...(told?.details.length && { details: told.details }) } };
}

/** Returns the parameters of a call, if it is the call that the run meant to make. */
function paramsOf(operation: Operation, body: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(body) || body["jsonrpc"] !== "2.0" || typeof body["method"] !== "string") return undefined;
  const { params, id } = body;
  // Without an id it is a notification. JSON-RPC discourages fractions and null, and agents may reject them.
  if (typeof id !== "string" && !Number.isInteger(id)) return undefined;
  if (params === undefined && operation === "GetExtendedAgentCard") return {};
  return isObject(params) ? (params as JsonObject) : undefined;
}

function restParams(
  operation: Operation,
  verb: string,
  below: string,
  body: JsonValue | undefined,
): JsonObject | undefined {
  const [path = "", query = ""] = below.split("?", 2);
  const match = matchRouteV03(verb, path);
  if (!match || !("operation" in match) || match.operation !== operation) return undefined;
  return { ...readQueryV03(operation, query), ...(isObject(body) && (body as JsonObject)), ...match.members };
}

function responseOf({ status, headers, content }: HarEntry["response"]): RecordedCall["response"] | undefined {
  if (status === 0) return undefined;
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
  const head = { status, ...(type !== undefined && { contentType: type.split(";")[0]!.trim() }) };
  const text = content.encoding === undefined ? content.text : "";
  if (!head.contentType?.startsWith("text/event-stream")) {
    const body = jsonIn(text);
    return { ...head, ...(body !== undefined && { body }) };
  }
  return { ...head, events: sseDataIn(text).flatMap((data) => jsonIn(data) ?? []) };
}

import {
  type Binding,
  type DialectVersion,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonIn,
  matchRouteV03,
  type Operation,
  operations,
  readQueryV03,
} from "@assay/protocol";
import type { ExchangeRecorded } from "@assay/suite/report";
import { type HarEntry, sseDataIn } from "@assay/wire";

/** A recorded call to an older interface, over a binding that has JSON. */
export interface RecordedCall {
  /** the id of the exchange */
  readonly id: string;
  readonly operation: Operation;
  readonly dialect: DialectVersion;
  readonly binding: Exclude<Binding, "GRPC">;
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
  };
}

/** Reads a recorded exchange; undefined if it is not a call whose request and response are JSON. */
export function readExchange({
  id,
  operation,
  interface: on,
  during,
  entry,
}: ExchangeRecorded): RecordedCall | undefined {
  if (!operation || !Object.hasOwn(operations, operation) || !on || on.dialect === "1.0") return undefined;
  const { binding, dialect, url } = on;
  if (binding !== "JSONRPC" && binding !== "HTTP+JSON") return undefined;
  const asked = { operation: operation as Operation, binding, base: pathOf(url).replace(/\/+$/, "") } as const;
  const request = requestOf(entry.request, asked);
  const response = responseOf(entry.response);
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
  { operation, binding, base }: { operation: Operation; binding: RecordedCall["binding"]; base: string },
): RecordedCall["request"] | undefined {
  const path = pathOf(url);
  const body = postData?._encoding === undefined ? jsonIn(postData?.text) : undefined;
  const params =
    binding === "JSONRPC" ? paramsOf(operation, body) : restParams(operation, verb, path.slice(base.length), body);
  if (!params) return undefined;
  const field = (name: string): string | undefined =>
    headers.find((header) => header.name.toLowerCase() === name)?.value;
  const [extensions, contentType] = [field("x-a2a-extensions"), field("content-type")];
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

/** Returns the parameters of a call, if it is the call that the run meant to make. */
function paramsOf(operation: Operation, body: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(body) || body["jsonrpc"] !== "2.0" || typeof body["method"] !== "string") return undefined;
  const { params } = body;
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

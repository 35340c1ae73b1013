import { isObject, type JsonObject } from "@assay/protocol";
import type { Call } from "../../../define/call.ts";
import { bodyOf, headerIn, jsonOf, objectIn, responseOf } from "../bodies.ts";

/** A request with a valid envelope, which the response must match. */
interface RpcCallSent {
  readonly id: string | number;
  readonly method: string;
}

/** Returns the request of a call; undefined if it is not a valid one. */
export function callOf({ exchange: { http }, on }: Call): RpcCallSent | undefined {
  if (on.binding !== "JSONRPC") return undefined;
  const { request } = http;
  // An agent that does not accept the media type need not read the body (A16).
  if (request.method !== "POST" || !/^application\/json\b/i.test(headerIn(request.headers, "content-type") ?? ""))
    return undefined;
  const json = jsonOf(request.body);
  if (!isObject(json) || json["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params } = json;
  if ((typeof id !== "string" && typeof id !== "number") || typeof method !== "string") return undefined;
  return params === undefined || isObject(params) ? { id, method } : undefined;
}

/** Returns the response if it is meant as JSON-RPC; an HTML page or the error of a framework is not. */
export function responseObject(call: Call): JsonObject | undefined {
  if (call.on.binding !== "JSONRPC") return undefined;
  const json = bodyOf(call);
  const response = responseOf(call);
  if (!json || !response) return undefined;
  const isOk = response.status >= 200 && response.status < 300;
  return isOk || "jsonrpc" in json ? json : undefined;
}

/** Returns all response objects of a call: the body, or those in the events of its stream. */
export function responsesIn(call: Call): JsonObject[] {
  if (call.on.binding !== "JSONRPC") return [];
  const { sse } = call.exchange.http;
  if (!sse) return [responseObject(call) ?? []].flat();
  return sse.events.map(objectIn).filter((json) => json !== undefined);
}

/** Returns the error objects of a call, with any content. */
export const errorsIn = (call: Call): JsonObject[] =>
  responsesIn(call).flatMap(({ error }) => (isObject(error) ? [error as JsonObject] : []));

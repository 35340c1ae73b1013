import { isObject, type JsonObject, jsonIn } from "@assay/protocol";
import type { Call } from "../../../define/call.ts";
import { bodyOf, headerIn, jsonOf, responseOf } from "../bodies.ts";

/** A request whose envelope is in order, so that the answer has to fit it. */
interface RpcCallSent {
  readonly id: string | number;
  readonly method: string;
}

/** The call that a talk began with; undefined where it was no proper one. */
export function callOf({ exchange: { http }, on }: Call): RpcCallSent | undefined {
  if (on.binding !== "JSONRPC") return undefined;
  const { request } = http;
  // An agent that does not take the label need not read the body (A16).
  if (request.method !== "POST" || !/^application\/json\b/i.test(headerIn(request.headers, "content-type") ?? ""))
    return undefined;
  const json = jsonOf(request.body);
  if (!isObject(json) || json["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params } = json;
  if ((typeof id !== "string" && typeof id !== "number") || typeof method !== "string") return undefined;
  return params === undefined || isObject(params) ? { id, method } : undefined;
}

/** The answer as far as it wants to be one of JSON-RPC: a page of HTML or the error of a framework is none. */
export function responseObject(call: Call): JsonObject | undefined {
  if (call.on.binding !== "JSONRPC") return undefined;
  const json = bodyOf(call);
  const response = responseOf(call);
  if (!json || !response) return undefined;
  const isOk = response.status >= 200 && response.status < 300;
  return isOk || "jsonrpc" in json ? json : undefined;
}

/** All response objects of a talk: the one it consists of, or those in the events of its stream. */
export function responsesIn(call: Call): JsonObject[] {
  if (call.on.binding !== "JSONRPC") return [];
  const { sse } = call.exchange.http;
  if (!sse) return [responseObject(call) ?? []].flat();
  return sse.events.flatMap(({ data }) => {
    const json = jsonIn(data);
    return isObject(json) ? [json as JsonObject] : [];
  });
}

/** The error objects of a talk, whatever they hold. */
export const errorsIn = (call: Call): JsonObject[] =>
  responsesIn(call).flatMap(({ error }) => (isObject(error) ? [error as JsonObject] : []));

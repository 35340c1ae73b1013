import { A2AError, type ErrorColumn, errorDetails } from "../errors.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";

/** JSON-RPC 2.0 as A2A uses it: one call per HTTP POST, parameters by name. */
export type RpcId = string | number | null;

export interface RpcCall {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

export type RpcReading = { call: RpcCall; error?: never } | { call?: never; id: RpcId; error: A2AError };

/**
 * Reads a request envelope. An invalid one becomes error -32600, with the id if the id is readable. `lenient` allows
 * `jsonrpc` and `id` to be missing, as in the first pages of 0.1; the id is then null.
 */
export function readCall(json: JsonValue, lenient = false): RpcReading {
  if (Array.isArray(json)) return refuse(null, "Batches are not part of A2A: send one request object per POST");
  if (!isObject(json)) return refuse(null, "The body is not a JSON-RPC request object");
  const { method, params } = json;
  const id = lenient ? (json["id"] ?? null) : json["id"];
  if (id === undefined) return refuse(null, 'The request has no "id": A2A has no notifications');
  // JSON can contain numbers too large for a double. Such an id cannot be echoed, so it is invalid.
  if (id !== null && typeof id !== "string" && !(typeof id === "number" && Number.isFinite(id))) {
    return refuse(null, '"id" must be a string or a number');
  }
  if (json["jsonrpc"] !== "2.0" && !(lenient && json["jsonrpc"] === undefined))
    return refuse(id, '"jsonrpc" must be exactly "2.0"');
  if (typeof method !== "string") return refuse(id, '"method" must be a string');
  if (params !== undefined && params !== null && typeof params !== "object") {
    return refuse(id, '"params" must be an object');
  }
  return { call: { id, method, params: params ?? {} } };
}

const refuse = (id: RpcId, message: string): RpcReading => ({ id, error: new A2AError("InvalidRequest", message) });

/** Writes the response. `result` is already JSON text, because the server has serialised it. */
export const writeResult = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const writeRpcError = (id: RpcId, error: A2AError, column?: ErrorColumn): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: error.numbers(column).code, message: error.message, data: errorDetails(error) },
  });

export const writeCall = (id: RpcId, method: string, params: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export type RpcAnswer = { id: RpcId; result: JsonValue; failure?: never } | { id: RpcId; failure: RpcFailure };

/** Reads a response envelope. Returns undefined if it has no version, neither result nor error, or both. */
export function readRpcAnswer(json: JsonValue): RpcAnswer | undefined {
  if (!isObject(json) || json["jsonrpc"] !== "2.0") return undefined;
  const { result, error } = json as JsonObject;
  const id = (json["id"] ?? null) as RpcId;
  if (error === undefined) return result === undefined ? undefined : { id, result };
  if (result !== undefined || !isObject(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return { id, failure: { code, message, ...(data === undefined ? {} : { data: data as JsonValue }) } };
}

import { type RpcAnswer, type RpcId, type RpcReading, readCall, readRpcAnswer } from "../bindings/jsonrpc.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ReadingNote } from "./place.ts";

type Loose<T> = T & { readonly notes: readonly ReadingNote[] };

/**
 * Reads a JSON-RPC request without `jsonrpc` or `id`, as in some examples on the official 0.1 page. The response to
 * such a call has the id `null`. Later dialects read calls strictly.
 */
export const readLooseCall = (json: JsonValue): Loose<RpcReading> => ({
  ...readCall(json, true),
  notes: isObject(json) ? complete(json as JsonObject).notes : [],
});

/**
 * Reads a JSON-RPC response of any older dialect. A wrong id is only noted, because the connection already shows which
 * request it answers. Python answers a delete with neither result nor error, which is read as the result `null`.
 */
export function readLooseAnswer(json: JsonValue, asked: RpcId): Loose<{ answer: RpcAnswer | undefined }> {
  if (!isObject(json)) return { answer: undefined, notes: [] };
  const { completed, notes } = complete(json as JsonObject);
  const { id } = completed;
  if (id !== asked && id !== null) {
    notes.push({ path: "$.id", message: `is ${JSON.stringify(id)}; the request had ${JSON.stringify(asked)}` });
  }
  const { result, error, ...rest } = completed;
  if (error !== undefined && error !== null) return { answer: readRpcAnswer({ ...rest, error }), notes };
  if (result === undefined) notes.push({ path: "$.result", message: "is missing, and so is error; read as null" });
  return { answer: readRpcAnswer({ ...rest, result: result ?? null }), notes };
}

function complete(json: JsonObject): { completed: JsonObject; notes: ReadingNote[] } {
  const assumed: JsonObject = { jsonrpc: "2.0", id: null };
  const missing = Object.keys(assumed).filter((name) => json[name] === undefined);
  const notes = missing.map((name) => ({
    path: `$.${name}`,
    message: `is missing; assumed to be ${JSON.stringify(assumed[name])}`,
  }));
  return { completed: { ...assumed, ...json }, notes };
}

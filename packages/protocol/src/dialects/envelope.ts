import { type RpcAnswer, type RpcId, type RpcReading, readCall, readRpcAnswer } from "../bindings/jsonrpc.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Finding } from "./place.ts";

type Loose<T> = T & { readonly findings: readonly Finding[] };

/**
 * A JSON-RPC request as the official page of 0.1 shows some: without `jsonrpc`, without `id`. Such a call is
 * answered with the id `null`. Later dialects read their calls strictly.
 */
export const readLooseCall = (json: JsonValue): Loose<RpcReading> => ({
  ...readCall(json, true),
  findings: isObject(json) ? complete(json as JsonObject).findings : [],
});

/**
 * A JSON-RPC answer of any older dialect. The connection says what it answers, so a wrong id is only a finding; and
 * Python answers a delete with neither result nor error, which is read as the result `null`.
 */
export function readLooseAnswer(json: JsonValue, asked: RpcId): Loose<{ answer: RpcAnswer | undefined }> {
  if (!isObject(json)) return { answer: undefined, findings: [] };
  const { completed, findings } = complete(json as JsonObject);
  const { id } = completed;
  if (id !== asked && id !== null) {
    findings.push({ path: "$.id", message: `is ${JSON.stringify(id)}; the request had ${JSON.stringify(asked)}` });
  }
  const { result, error, ...rest } = completed;
  if (error !== undefined && error !== null) return { answer: readRpcAnswer({ ...rest, error }), findings };
  if (result === undefined) findings.push({ path: "$.result", message: "is missing, and so is error; read as null" });
  return { answer: readRpcAnswer({ ...rest, result: result ?? null }), findings };
}

function complete(json: JsonObject): { completed: JsonObject; findings: Finding[] } {
  const assumed: JsonObject = { jsonrpc: "2.0", id: null };
  const missing = Object.keys(assumed).filter((name) => json[name] === undefined);
  const findings = missing.map((name) => ({
    path: `$.${name}`,
    message: `is missing; taken for ${JSON.stringify(assumed[name])}`,
  }));
  return { completed: { ...assumed, ...json }, findings };
}

import {
  type Dialect,
  isObject,
  type JsonObject,
  type JsonValue,
  type RpcFailure,
  readLooseAnswer,
  readRpcAnswer,
  versionHeader,
  writeCall,
} from "@assay/protocol";
import { bodyJson } from "./body-json.ts";
import { type Envelope, reasonIn } from "./envelope.ts";
import type { HttpCodec } from "./http.ts";
import { type PeerPlace, same } from "./place.ts";

/** JSON-RPC with ids that count from 1, as in most SDK clients. */
export function jsonRpcCodec({ url, version, headers, edit = same }: PeerPlace, dialect: Dialect): HttpCodec {
  let lastId = 0;
  const read = (json: JsonValue, http: number): Envelope => {
    const answer = dialect.version === "1.0" ? readRpcAnswer(withoutNulls(json)) : readOlder(json);
    if (!answer)
      return { is: "malformed", because: "the response is not a JSON-RPC response with either a result or an error" };
    if (answer.failure) return { is: "error", error: errorOf(answer.failure, http) };
    return { is: "result", json: answer.result };
  };
  return {
    request(operation, params) {
      const call = writeCall(++lastId, dialect.methodOf(operation)!, params);
      return {
        method: "POST",
        url,
        headers: edit([
          ["Content-Type", "application/json"],
          ["Accept", "application/json, text/event-stream"],
          // Versions before 1.0 had no such header, and their servers might reject it.
          ...(dialect.version === "1.0" ? [[versionHeader, version ?? dialect.version] as const] : []),
          ...headers,
        ]),
        body: Buffer.from(JSON.stringify(call)),
      };
    },
    read(response) {
      try {
        return read(bodyJson(response.body), response.status);
      } catch {
        return { is: "malformed", because: `HTTP ${response.status} with a body that is not JSON` };
      }
    },
    readEvent: (json) => read(json, 200),
  };
}

/**
 * Reads responses of older servers: they omit the id of an error, and Python answers a delete with neither result nor
 * error. A response without `jsonrpc` is not from the agent.
 */
const readOlder = (json: JsonValue) =>
  isObject(json) && json["jsonrpc"] === "2.0" ? readLooseAnswer(json as JsonObject, null).answer : undefined;

/**
 * Removes a null member. Some servers write both result and error, with the unused one as null. The meaning is clear,
 * so the client accepts it; checks on the bytes judge it.
 */
function withoutNulls(json: JsonValue): JsonValue {
  if (!isObject(json)) return json;
  const { result, error } = json;
  if (error === null && result !== undefined) return { ...json, error: undefined } as unknown as JsonValue;
  if (result === null && isObject(error)) return { ...json, result: undefined } as unknown as JsonValue;
  // A value parsed from JSON is JSON.
  return json as JsonValue;
}

function errorOf({ code, message, data }: RpcFailure, http: number) {
  const details = Array.isArray(data) ? data : [];
  const reason = reasonIn(details);
  return {
    message,
    http,
    code,
    details,
    ...(data !== undefined && !Array.isArray(data) && { data }),
    ...(reason === undefined ? {} : { reason }),
  };
}

import {
  type A2AError,
  errorTable,
  type JsonValue,
  readRestErrorV03,
  restStatusV03,
  writeRestRequestV03,
} from "@assay/protocol";
import type { HeaderPairs } from "../recording/exchange.ts";
import { bodyJson, isBlank } from "./body-json.ts";
import type { Envelope } from "./envelope.ts";
import type { HttpCodec } from "./http.ts";
import { type PeerPlace, same } from "./place.ts";

/** HTTP+JSON of 0.3: paths below `/v1`, no version header, and errors in any known body. */
export const olderRestCodec = ({ url, headers: more, edit = same }: PeerPlace): HttpCodec => ({
  request(operation, params) {
    const { verb, target, body } = writeRestRequestV03(operation, params);
    const headers: HeaderPairs = [["Accept", "application/json, text/event-stream"], ...more];
    // Some cards include the version in the address, others do not.
    const base = { method: verb, url: `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}${target}` };
    if (!body) return { ...base, headers: edit(headers) };
    const labelled: HeaderPairs = [["Content-Type", "application/json"], ...headers];
    return { ...base, headers: edit(labelled), body: Buffer.from(JSON.stringify(body)) };
  },

  read({ status, body }) {
    const ok = status >= 200 && status < 300;
    if (ok && isBlank(body)) return { is: "result", json: {} };
    try {
      const json = bodyJson(body);
      return ok ? { is: "result", json } : errorIn(json, status);
    } catch {
      return { is: "malformed", because: `HTTP ${status} with a body that is not JSON` };
    }
  },

  // A server that has already opened the stream can only report an error as an event (docs/spec/dialects.md §4.4).
  readEvent(json) {
    const error = readRestErrorV03(errorTable.Internal.http, json);
    return error ? told(error, restStatusV03(error)) : { is: "result", json };
  },
});

function errorIn(json: JsonValue, status: number): Envelope {
  const error = readRestErrorV03(status, json);
  if (!error) return { is: "malformed", because: `HTTP ${status} without a known 0.3 error body` };
  return told(error, status);
}

const told = ({ kind, message }: A2AError, http: number): Envelope => ({
  is: "error",
  error: { message, http, reason: errorTable[kind].reason, details: [] },
});

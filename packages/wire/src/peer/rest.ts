import { type Dialect, type JsonValue, readRestError, versionHeader, writeRestRequest } from "@assay/protocol";
import type { HeaderPairs } from "../recording/exchange.ts";
import { bodyJson, isBlank } from "./body-json.ts";
import { type Envelope, reasonIn } from "./envelope.ts";
import type { HttpCodec } from "./http.ts";
import { type PeerPlace, same } from "./place.ts";

export const restCodec = ({ url, version, headers: more, edit = same }: PeerPlace, dialect: Dialect): HttpCodec => ({
  request(operation, params) {
    const { verb, target, body } = writeRestRequest(operation, params);
    const headers: HeaderPairs = [
      ["Accept", "application/a2a+json, application/json, text/event-stream"],
      [versionHeader, version ?? dialect.version],
      ...more,
    ];
    const base = { method: verb, url: `${url.replace(/\/+$/, "")}${target}` };
    if (!body) return { ...base, headers: edit(headers) };
    // Uses application/json because some 1.0.0 servers reject anything else (AMB-18).
    return {
      ...base,
      headers: edit([["Content-Type", "application/json"], ...headers]),
      body: Buffer.from(JSON.stringify(body)),
    };
  },

  read({ status, body }) {
    const ok = status >= 200 && status < 300;
    if (ok && isBlank(body)) return { is: "result", json: {} };
    let json: JsonValue;
    try {
      json = bodyJson(body);
    } catch {
      return { is: "malformed", because: `HTTP ${status} with a body that is not JSON` };
    }
    if (ok) return { is: "result", json };
    return errorIn(json, status) ?? { is: "malformed", because: `HTTP ${status} without the error body of HTTP+JSON` };
  },

  readEvent: (json) => errorIn(json) ?? { is: "result", json },
});

/** Inside a stream the HTTP status is already sent, so the error's own code replaces it. */
function errorIn(json: JsonValue, status?: number): Envelope | undefined {
  const failure = readRestError(json);
  if (!failure) return undefined;
  const { message, details, code } = failure;
  const reason = reasonIn(details);
  return {
    is: "error",
    error: { message, http: status ?? code, details, ...(reason === undefined ? {} : { reason }) },
  };
}

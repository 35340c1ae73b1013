import { type JsonValue, parseJson, readRestError, v10, versionHeader, writeRestRequest } from "@assay/protocol";
import type { PeerBinding } from "./binding.ts";
import { reasonIn } from "./envelope.ts";

export const restBinding: PeerBinding = {
  request(url, operation, params) {
    const { verb, target, body } = writeRestRequest(operation, params);
    const headers: [string, string][] = [
      ["Accept", "application/a2a+json, application/json, text/event-stream"],
      [versionHeader, v10.version],
    ];
    const base = { method: verb, url: `${url.replace(/\/+$/, "")}${target}` };
    if (!body) return { ...base, headers };
    // Labelled application/json because some servers of the 1.0.0 text refuse anything else (AMB-18).
    return {
      ...base,
      headers: [["Content-Type", "application/json"], ...headers],
      body: Buffer.from(JSON.stringify(body)),
    };
  },

  read({ status, body }) {
    const text = Buffer.from(body).toString("utf8");
    const ok = status >= 200 && status < 300;
    if (ok && text.trim() === "") return { is: "result", json: {} };
    let json: JsonValue;
    try {
      json = parseJson(text);
    } catch {
      return { is: "malformed", because: `HTTP ${status} with a body that is no JSON` };
    }
    if (ok) return { is: "result", json };
    const failure = readRestError(json);
    if (!failure) return { is: "malformed", because: `HTTP ${status} without the error body of HTTP+JSON` };
    const reason = reasonIn(failure.details);
    return {
      is: "error",
      error: {
        message: failure.message,
        http: status,
        details: failure.details,
        ...(reason === undefined ? {} : { reason }),
      },
    };
  },

  readEvent(json) {
    const failure = readRestError(json);
    if (!failure) return { is: "result", json };
    return { is: "error", error: { message: failure.message, http: failure.code, details: failure.details } };
  },
};

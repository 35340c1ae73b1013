import type { JsonObject } from "@assay/protocol";
import { reanswer, reread } from "../bending/http.ts";
import { errors } from "../bending/json.ts";
import { mutant } from "../mutant.ts";

export const restMutants = [
  mutant("REST-005.colon", "spec", "Takes :cancel for a part of the task's id, which cannot be posted to.", {
    http: reread(({ method, path }) => (method === "POST" && path.endsWith(":cancel") ? { method: "PUT" } : {})),
  }),

  mutant("REST-020.presence", "spec", "Takes includeArtifacts=false in a query for true, because it is there.", {
    http: reread(({ query }) => ({ query: query.replace("includeArtifacts=false", "includeArtifacts=true") })),
  }),

  mutant("REST-027.problem", "spec", "Writes its errors as problem documents (RFC 9457).", {
    http: reanswer((answer, { method, path }) => {
      const { error } = JSON.parse(answer.status < 400 ? "{}" : String(answer.body)) as { error?: JsonObject };
      // An error of JSON-RPC may come with such a status too, but it has no details.
      if (!error?.["details"]) return answer;
      const { code, message } = error;
      return {
        ...answer,
        headers: { ...answer.headers, "Content-Type": "application/problem+json" },
        body: JSON.stringify({ type: "about:blank", title: message!, status: code!, instance: `${method} ${path}` }),
      };
    }),
  }),

  mutant("REST-030.short-type", "spec", "Names the type of its error details without the prefix that makes it a URL.", {
    codec: errors("HTTP+JSON", ({ error }) => {
      const { details, ...rest } = error as JsonObject;
      const named = (details as JsonObject[]).map((detail) => ({
        ...detail,
        "@type": String(detail["@type"]).replace("type.googleapis.com/", ""),
      }));
      return { error: { ...rest, details: named } };
    }),
  }),

  mutant("REST-033.enveloped", "spec", "Wraps the events of an HTTP+JSON stream as if they were of JSON-RPC.", {
    codec: (json, { is, binding }) =>
      is === "event" && binding === "HTTP+JSON" ? { jsonrpc: "2.0", id: 1, result: json } : json,
  }),
];

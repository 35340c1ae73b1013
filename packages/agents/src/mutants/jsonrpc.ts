import type { JsonObject, JsonValue } from "@assay/protocol";
import { respell } from "../bending/bytes.ts";
import { type Answer, reanswer, redata } from "../bending/http.ts";
import { errors } from "../bending/json.ts";
import { mutant } from "../mutant.ts";

/** Whole answers of JSON-RPC: those of HTTP+JSON have no `jsonrpc`. */
const calls = (change: (answer: Answer, json: JsonObject) => Answer) =>
  reanswer((answer, { method }) => {
    if (method !== "POST" || answer.body.length === 0) return answer;
    const json = JSON.parse(String(answer.body)) as JsonObject;
    return json["jsonrpc"] ? change(answer, json) : answer;
  });

const enveloped = (data: string, change: (event: JsonObject) => JsonValue): string => {
  const event = JSON.parse(data) as JsonObject;
  return event["jsonrpc"] ? JSON.stringify(change(event)) : data;
};

export const jsonRpcMutants = [
  mutant("JSONRPC-002.text", "spec", "Labels its JSON-RPC answers as plain text.", {
    http: calls((answer) => ({ ...answer, headers: { ...answer.headers, "Content-Type": "text/plain" } })),
  }),

  mutant("JSONRPC-004.id-as-text", "spec", "Gives a number back as a string where it is the id of a request.", {
    http: calls((answer, json) => ({ ...answer, body: JSON.stringify({ ...json, id: String(json["id"]) }) })),
  }),

  mutant("JSONRPC-006.html", "spec", "Answers with a page that says 404 when it does not know a method.", {
    http: calls((answer, { error }) =>
      (error as JsonObject | undefined)?.["code"] === -32601
        ? { status: 404, headers: { "Content-Type": "text/html" }, body: "<!doctype html><h1>Not Found</h1>\n" }
        : answer,
    ),
  }),

  mutant("JSONRPC-012.object", "spec", "Its errors carry an object in data, as in 0.3, where a list belongs.", {
    codec: errors("JSONRPC", (answer) => {
      const { data, ...error } = answer["error"] as JsonObject;
      const [info] = data as JsonObject[];
      return { ...answer, error: { ...error, data: { reason: info?.["reason"] ?? "" } } };
    }),
  }),

  mutant("JSONRPC-017.bare", "spec", "Streams events without the envelope of JSON-RPC.", {
    http: redata((data) => enveloped(data, (event) => event["result"]!)),
  }),

  mutant("JSONRPC-018.one-newline", "spec", "Puts no blank line between the events of a stream.", {
    http: respell((piece) => (piece.startsWith('data: {"jsonrpc"') ? piece.replaceAll("\n\n", "\n") : piece)),
  }),
];

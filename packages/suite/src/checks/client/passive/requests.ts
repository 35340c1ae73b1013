import { isObject } from "@assay/protocol";
import { brief } from "../../../answers/reading.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, mediaTypeOf } from "../../../client/request-fields.ts";
import { breach, broken, holds } from "../../../define/finding.ts";

/** In 0.1 a call may do without: it is a notification then. JSON-RPC 2.0 allows null. */
const isId = (id: unknown, { on }: ClientCall): boolean =>
  typeof id === "string" || typeof id === "number" || id === null || (id === undefined && on.dialect === "0.1");

const envelope = passiveClientCheck({
  id: "JSONRPC-022",
  title: "a request is a JSON-RPC 2.0 call with named parameters",
  remedy: 'Send {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}} as application/json.',
  bindings: ["JSONRPC"],
  judge(call) {
    const { body, exchange } = call;
    if (!isObject(body))
      return broken("the body of a call is no JSON object", {
        saw: brief(Buffer.from(exchange.http.request.body).toString("utf8")),
        want: "one JSON-RPC request",
        at: exchange,
      });
    const { jsonrpc, id, method, params } = body;
    const wrong =
      jsonrpc !== "2.0"
        ? `jsonrpc is ${brief(jsonrpc ?? "missing", 40)}`
        : !isId(id, call)
          ? `id is ${id === undefined ? "missing" : brief(id, 40)}`
          : typeof method !== "string"
            ? `method is ${method === undefined ? "missing" : brief(method, 40)}`
            : params !== undefined && params !== null && !isObject(params)
              ? `params is ${Array.isArray(params) ? "an array" : brief(params, 40)}`
              : undefined;
    if (wrong !== undefined)
      return broken(`${callName(call)}: ${wrong}`, {
        saw: brief(body),
        want: 'jsonrpc "2.0", an id, a method, params by name',
        at: exchange,
      });
    const type = mediaTypeOf(call);
    if (type !== "application/json")
      return broken("a call is not labelled application/json", {
        saw: type || "no Content-Type",
        want: "application/json",
        at: exchange,
      });
    if (id !== null) return holds();
    return breach("null-id", `${callName(call)}: id is null`, {
      saw: brief(body),
      want: "an id that is a string or a whole number",
      at: exchange,
    });
  },
});

const labelled = passiveClientCheck({
  id: "REST-014",
  title: "requests with a body are labelled application/a2a+json",
  remedy: "Set Content-Type: application/a2a+json on every request that has a body.",
  bindings: ["HTTP+JSON"],
  judge(call) {
    const { method, body } = call.exchange.http.request;
    // A body where none belongs is for REST-019.
    if (call.on.dialect !== "1.0" || method !== "POST" || body.length === 0) return undefined;
    const type = mediaTypeOf(call);
    return type === "application/a2a+json"
      ? holds()
      : broken(`the body of a request is labelled ${type || "with nothing"}`, {
          saw: type || "no Content-Type",
          want: "application/a2a+json",
          at: call.exchange,
        });
  },
});

/** Names that a query of A2A has: camelCase, as in the JSON. Those of others are none of our business. */
const snakeOf = /^[a-z]+(?:_[a-z]+)+$/;
const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const known = [
  "historyLength",
  "pageSize",
  "pageToken",
  "contextId",
  "statusTimestampAfter",
  "includeArtifacts",
  "taskId",
];

const byPathAndQuery = passiveClientCheck({
  id: "REST-019",
  title: "GET and DELETE carry their parameters in path and query, in camelCase, without a body",
  remedy: "Write the parameters of GET and DELETE into the query, named as in the JSON (pageSize), and send no body.",
  bindings: ["HTTP+JSON"],
  judge(call) {
    const { method, url, body } = call.exchange.http.request;
    if (method !== "GET" && method !== "DELETE") return undefined;
    if (body.length)
      return broken(`${callName(call)} by ${method} has a body`, {
        saw: brief(Buffer.from(body).toString("utf8")),
        want: "path and query alone",
        at: call.exchange,
      });
    const wrong = [...new URL(url).searchParams.keys()].find(
      (name) => snakeOf.test(name) && known.includes(camel(name)),
    );
    return wrong === undefined
      ? holds()
      : broken(`${callName(call)} has ${wrong} in its query`, { saw: wrong, want: camel(wrong), at: call.exchange });
  },
});

export const clientRequestChecks = [envelope, labelled, byPathAndQuery];

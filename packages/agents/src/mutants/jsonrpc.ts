import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler, WireRequest } from "@assay/wire/server";
import { type Divergence, full, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeStreamText } from "../mutation/bytes.ts";
import { onFirstCall } from "../mutation/first-call.ts";
import { changeAnswers, changeEventData, changeRequests, type HttpAnswer, replyWith } from "../mutation/http.ts";
import { errors } from "../mutation/json.ts";
import {
  asEmptyStream,
  changeJsonBody,
  crashesOn,
  diesOn,
  forPosts,
  isJson,
  sendRpcError,
} from "../mutation/requests.ts";

/** Changes complete JSON-RPC responses; those of HTTP+JSON have no `jsonrpc`. */
const calls = (change: (answer: HttpAnswer, json: JsonObject) => HttpAnswer) =>
  changeAnswers((answer, { method }) => {
    if (method !== "POST" || answer.body.length === 0) return answer;
    const json = JSON.parse(String(answer.body)) as JsonObject;
    return json["jsonrpc"] ? change(answer, json) : answer;
  });

const enveloped = (data: string, change: (event: JsonObject) => JsonValue): string => {
  const event = JSON.parse(data) as JsonObject;
  return event["jsonrpc"] ? JSON.stringify(change(event)) : data;
};

/** Returns true for the agent's own path, which is JSON-RPC; paths below it are HTTP+JSON or the card. */
const isRpc = ({ method, path }: Pick<WireRequest, "method" | "path">): boolean =>
  method === "POST" && !/\/(message:|tasks\b|extendedAgentCard)/.test(path);

/** Changes calls before the agent reads them; invalid JSON stays unchanged. */
const changeCall = (change: (call: JsonObject) => JsonObject) =>
  changeJsonBody((call, request) => (isRpc(request) ? change(call) : call));

/** Changes responses with this error code. */
const atCode = (code: number, change: (answer: HttpAnswer, json: JsonObject) => HttpAnswer) =>
  calls((answer, json) =>
    (json["error"] as JsonObject | undefined)?.["code"] === code ? change(answer, json) : answer,
  );

/** An HTML page instead of a response. */
const page = (status: number, title: string) => (): HttpAnswer => ({
  status,
  headers: { "Content-Type": "text/html" },
  body: `<!doctype html><h1>${title}</h1>\n`,
});

/** Replaces this error code by another. */
const changeCode = (from: number, to: JsonValue) =>
  atCode(from, (answer, json) => ({
    ...answer,
    body: JSON.stringify({ ...json, error: { ...(json["error"] as JsonObject), code: to } }),
  }));

const rpcAnswer =
  (operation: string, change: (answer: JsonObject) => JsonValue): NonNullable<Layers["codec"]> =>
  (json, written) =>
    written.binding === "JSONRPC" && written.is === "answer" && written.operation === operation
      ? change(json as JsonObject)
      : json;

/** Writes one object per line after the other, labelled as one. */
const asLines =
  (serve: Handler): Handler =>
  (request, reply) => {
    if (!isRpc(request)) return serve(request, reply);
    const spelled = changeStreamText((piece) => piece.replaceAll(/^data: (.*)\n\n/gm, "$1\n"));
    const labelled: Handler = (asked, answer) =>
      serve(
        asked,
        replyWith(answer, { events: (headers) => answer.events({ ...headers, "Content-Type": "application/json" }) }),
      );
    return spelled(labelled)(request, reply);
  };

/** Rejects subscriptions with an empty stream. */
const silentRefusals = forPosts((body, request) => isRpc(request) && body.includes('"SubscribeToTask"'), asEmptyStream);

/** Treats ListTasks as a 1.0 call, whatever version the headers name. */
const uncheckedLists = forPosts(
  (body, request) => isRpc(request) && body.includes('"ListTasks"'),
  changeRequests(({ headers }) => ({ headers: { ...headers, "a2a-version": "1.0" } })),
);

export const jsonRpcMutants: readonly Divergence[] = [
  spec("JSONRPC-001.page", "GetTask for an unknown task returns an HTML page with status 404 over JSON-RPC.", {
    http: atCode(-32001, page(404, "Not Found")),
  }),

  spec("JSONRPC-002.text", "JSON-RPC responses have the Content-Type text/plain.", {
    http: calls((answer) => ({ ...answer, headers: { ...answer.headers, "Content-Type": "text/plain" } })),
  }),

  spec("JSONRPC-003.both", "The response to an unknown method has result: null beside error.", {
    http: atCode(-32601, (answer, json) => ({ ...answer, body: JSON.stringify({ ...json, result: null }) })),
  }),

  spec("JSONRPC-004.id-as-text", "A number as request id comes back as a string.", {
    http: calls((answer, json) =>
      typeof json["id"] === "number"
        ? { ...answer, body: JSON.stringify({ ...json, id: String(json["id"]) }) }
        : answer,
    ),
  }),

  spec("JSONRPC-004.zero-is-none", "Treats the request id 0 as missing and answers with null.", {
    http: calls((answer, json) =>
      json["id"] === 0 ? { ...answer, body: JSON.stringify({ ...json, id: null }) } : answer,
    ),
  }),

  spec("JSONRPC-004.whole-numbers", "Reads the request id as an integer.", {
    http: calls((answer, json) =>
      typeof json["id"] === "number" && !Number.isInteger(json["id"])
        ? { ...answer, body: JSON.stringify({ ...json, id: Math.trunc(json["id"]) }) }
        : answer,
    ),
  }),

  full("JSONRPC-004.null-for-version", "A request in an unsupported version gets an error with id null.", {
    http: atCode(-32009, (answer, json) => ({ ...answer, body: JSON.stringify({ ...json, id: null }) })),
  }),

  spec("JSONRPC-005.old-name", "The agent serves ListTasks only as tasks/list.", {
    http: changeCall((call) => (call["method"] === "ListTasks" ? { ...call, method: "tasks/ListTasks" } : call)),
  }),

  spec("JSONRPC-006.html", "An unknown method returns an HTML page with status 404.", {
    http: atCode(-32601, page(404, "Not Found")),
  }),

  spec("JSONRPC-006.invalid-request", "An unknown method returns -32600 instead of -32601.", {
    http: changeCode(-32601, -32600),
  }),

  spec("JSONRPC-007.web-page", "A body that is not JSON returns an HTML page with status 400.", {
    http: atCode(-32700, page(400, "Bad Request")),
  }),

  spec("JSONRPC-007.invalid-request", "A body that is not JSON returns -32600 instead of -32700.", {
    http: changeCode(-32700, -32600),
  }),

  spec("JSONRPC-007.dies", "Crashes and restarts on a body that is not JSON.", {
    http: diesOn((body) => body.includes('"jsonrpc"') && !isJson(body)),
  }),

  spec("JSONRPC-008.internal", "JSON that is not a JSON-RPC request returns an internal error.", {
    http: changeCode(-32600, -32603),
  }),

  spec("JSONRPC-008.no-answer", "A request without a method gets an empty response.", {
    http: atCode(-32600, (answer) => ({ ...answer, body: "" })),
  }),

  spec("JSONRPC-008.number-as-method", "Accepts a number as the method and calls it unknown.", {
    http: changeCall((call) =>
      typeof call["method"] === "number" ? { ...call, method: String(call["method"]) } : call,
    ),
  }),

  spec("JSONRPC-009.invalid-request", "Invalid parameters return -32600 instead of -32602.", {
    http: changeCode(-32602, -32600),
  }),

  spec("JSONRPC-009.no-params", "A request without required params causes an internal error.", {
    http: crashesOn(
      (body) => body.includes('"jsonrpc"') && !body.includes('"params"') && /"(Get|Cancel)Task"/.test(body),
    ),
  }),

  spec("JSONRPC-010.private-code", "An internal error has a private code instead of -32603.", () => ({
    http: onFirstCall("ListTasks", (id, reply) =>
      sendRpcError(reply, id, { code: 500, message: "Internal Server Error" }, 500),
    ),
  })),

  spec("JSONRPC-011.named", "The error code for an unknown method is a string.", {
    http: changeCode(-32601, "METHOD_NOT_FOUND"),
  }),

  spec("JSONRPC-012.object", "JSON-RPC errors have an object in data instead of an array.", {
    codec: errors("JSONRPC", (answer) => {
      const { data, ...error } = answer["error"] as JsonObject;
      const [info] = data as JsonObject[];
      return { ...answer, error: { ...error, data: { reason: info?.["reason"] ?? "" } } };
    }),
  }),

  spec("JSONRPC-012.text", "JSON-RPC errors have a string in data instead of a list.", {
    codec: errors("JSONRPC", (answer) => {
      const { data: _list, ...error } = answer["error"] as JsonObject;
      return { ...answer, error: { ...error, data: String(error["message"]) } };
    }),
  }),

  spec("JSONRPC-013.camel-case", "The reason in the ErrorInfo is TaskNotFoundError instead of TASK_NOT_FOUND.", {
    codec: errors("JSONRPC", (answer) => {
      const { data, ...error } = answer["error"] as JsonObject;
      const camel = (reason: string): string =>
        `${reason.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Error`;
      const named = (data as JsonObject[]).map((detail) =>
        "reason" in detail ? { ...detail, reason: camel(String(detail["reason"])) } : detail,
      );
      return { ...answer, error: { ...error, data: named } };
    }),
  }),

  spec("JSONRPC-014.prose", "JSON-RPC errors name the invalid field only in their text.", {
    codec: errors("JSONRPC", (answer) => {
      const { data, ...error } = answer["error"] as JsonObject;
      return { ...answer, error: { ...error, data: (data as JsonObject[]).filter((one) => !one["fieldViolations"]) } };
    }),
  }),

  spec("JSONRPC-015.bare", "SendMessage over JSON-RPC returns the Task itself as result.", {
    codec: rpcAnswer("SendMessage", ({ task, message }) => (task ?? message)!),
  }),

  spec("JSONRPC-016.lines", "A JSON-RPC stream is application/json with one object per line.", {
    http: asLines,
  }),

  spec("JSONRPC-017.bare", "The events of a JSON-RPC stream have no JSON-RPC envelope.", {
    http: changeEventData((data) => enveloped(data, (event) => event["result"]!)),
  }),

  spec("JSONRPC-017.new-ids", "Each event of a JSON-RPC stream has another id.", {
    http: changeEventData((data) =>
      data.startsWith('{"jsonrpc"') ? JSON.stringify({ ...JSON.parse(data), id: randomUUID() }) : data,
    ),
  }),

  spec("JSONRPC-017.no-json", "Stream events contain plain text instead of JSON.", {
    http: changeEventData((data) => (data.startsWith('{"jsonrpc"') ? "something happened" : data)),
  }),

  spec("JSONRPC-018.one-newline", "Events of a JSON-RPC stream are separated by one newline instead of a blank line.", {
    http: changeStreamText((piece) => (piece.startsWith('data: {"jsonrpc"') ? piece.replaceAll("\n\n", "\n") : piece)),
  }),

  spec("JSONRPC-018.control-character", "Each event of a stream starts with a record separator (0x1E).", {
    http: changeStreamText((piece) => piece.replaceAll(/^data: \{"jsonrpc"/gm, "\u001e$&")),
  }),

  spec("JSONRPC-019.empty-stream", "SubscribeToTask to an unknown task returns an empty stream over JSON-RPC.", {
    http: silentRefusals,
  }),

  full("JSONRPC-021.lists-unchecked", "ListTasks over JSON-RPC ignores the A2A-Version header.", {
    http: uncheckedLists,
  }),

  spec("JSONRPC-029.answers", "The agent returns a result for a request without id.", {
    http: changeCall((call) =>
      "id" in call || !/^(GetTask|tasks\/get)$/.test(String(call["method"])) ? call : { ...call, id: 0 },
    ),
  }),

  spec("JSONRPC-023.demands-params", "ListTasks without params returns an error.", {
    http: changeCall((call) => ("params" in call ? call : { ...call, params: "none" })),
  }),

  full("JSONRPC-024.array", "JSON-RPC lists push configurations as an array without a wrapper, as in 0.3.", {
    codec: rpcAnswer("ListTaskPushNotificationConfigs", ({ configs }) => configs ?? []),
  }),

  full("JSONRPC-025.nothing", "Deleting a push configuration returns neither result nor error.", {
    http: calls((answer, { result, ...json }) =>
      isObject(result) && Object.keys(result).length === 0 ? { ...answer, body: JSON.stringify(json) } : answer,
    ),
  }),

  full("JSONRPC-025.gone", "Confirms a deletion with an empty response, and then calls its id invalid.", {
    http: calls((answer, { result, error, ...json }) => {
      if (isObject(result) && Object.keys(result).length === 0) return { ...answer, body: JSON.stringify(json) };
      const isGone = JSON.stringify(error ?? "").includes("push configuration");
      return isGone
        ? { ...answer, body: JSON.stringify({ ...json, error: { code: -32602, message: "Invalid id" } }) }
        : answer;
    }),
  }),

  spec("JSONRPC-026.old-member", "ListTasks reads lastUpdatedAfter instead of statusTimestampAfter.", {
    http: changeCall((call) => {
      if (call["method"] !== "ListTasks" || !isObject(call["params"])) return call;
      const { statusTimestampAfter: _unread, ...params } = call["params"] as JsonObject;
      return { ...call, params };
    }),
  }),
];

import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Handler, WireRequest } from "@assay/wire/server";
import { full, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeStreamText } from "../mutation/bytes.ts";
import { changeAnswers, changeEventData, changeRequests, replyWith } from "../mutation/http.ts";
import { errors } from "../mutation/json.ts";
import { asEmptyStream, diesOn, forPosts, isJson } from "../mutation/requests.ts";

const anyMessage = { message: { messageId: "any", role: "ROLE_USER", parts: [{ text: "task-lifecycle hi" }] } };

const isRest = ({ path }: Pick<WireRequest, "path">): boolean => /\/(message:|tasks\b|extendedAgentCard)/.test(path);

const restAnswer =
  (operation: string, change: (answer: JsonObject) => JsonValue): NonNullable<Layers["codec"]> =>
  (json, written) =>
    written.binding === "HTTP+JSON" && written.is === "answer" && written.operation === operation
      ? change(json as JsonObject)
      : json;

/** Returns 404 for matching requests. */
const unrouted = (fits: (request: WireRequest) => boolean) =>
  changeRequests((request) => (fits(request) ? { method: "PUT" } : {}));

const changeQuery = (change: (query: string) => string) =>
  changeRequests((request) => (isRest(request) ? { query: change(request.query) } : {}));

/** Changes the details of an error. */
const changeDetails = (change: (details: JsonObject[]) => JsonValue) =>
  errors("HTTP+JSON", ({ error }) => {
    const { details, ...rest } = error as JsonObject;
    return { error: { ...rest, details: change(details as JsonObject[]) } };
  });

const labelledStreams =
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(
      request,
      isRest(request)
        ? replyWith(reply, { events: (headers) => reply.events({ ...headers, "Content-Type": "application/json" }) })
        : reply,
    );

/** Rejects streams with an empty stream. */
const silentRefusals = forPosts((_body, { path }) => path.endsWith(":stream"), asEmptyStream);

const nowhere =
  (serve: Handler): Handler =>
  (request, reply) =>
    /\/tasks\/[^/:]+$/.test(request.path)
      ? reply.send(404, { "Content-Type": "text/html" }, "<!doctype html><h1>Not Found</h1>\n")
      : serve(request, reply);

const linesOfRest =
  (serve: Handler): Handler =>
  (request, reply) =>
    isRest(request)
      ? changeStreamText((piece) => piece.replaceAll(/^data: (.*)\n\n/gm, "$1\n"))(serve)(request, reply)
      : serve(request, reply);

export const restMutants = [
  spec("REST-001.bare", "POST /message:send returns the Task without the task wrapper.", {
    codec: restAnswer("SendMessage", ({ task, message }) => (task ?? message)!),
  }),

  spec("REST-002.json", "An HTTP+JSON stream has the Content-Type application/json.", {
    http: labelledStreams,
  }),

  spec("REST-003.wrapped", "GET /tasks/{id} wraps the task in a task member.", {
    codec: restAnswer("GetTask", (task) => ({ task })),
  }),

  spec("REST-004.no-get", "GET /tasks has no route.", {
    http: unrouted(({ method, path }) => method === "GET" && path.endsWith("/tasks")),
  }),

  spec("REST-005.colon", "POST /tasks/{id}:cancel has no route, because the router reads :cancel as part of the id.", {
    http: changeRequests(({ method, path }) =>
      method === "POST" && path.endsWith(":cancel") ? { method: "PUT" } : {},
    ),
  }),

  spec("REST-006.slash", "Neither GET nor POST /tasks/{id}:subscribe has a route.", {
    http: unrouted(({ path }) => path.endsWith(":subscribe")),
  }),

  full("REST-007.other-task", "A created push configuration has no taskId over HTTP+JSON.", {
    codec: restAnswer("CreateTaskPushNotificationConfig", ({ taskId: _none, ...config }) => config),
  }),

  full("REST-007.wants-task", "Creating a push configuration over HTTP+JSON requires taskId in the body.", {
    http: (serve) => async (request, reply) => {
      const isCreation = request.method === "POST" && request.path.endsWith("/pushNotificationConfigs");
      if (!isCreation || String(await request.body()).includes('"taskId"')) return serve(request, reply);
      const error = { code: 400, status: "INVALID_ARGUMENT", message: "taskId is missing", details: [] };
      return reply.send(400, { "Content-Type": "application/json" }, JSON.stringify({ error }));
    },
  }),

  full("REST-008.other-url", "Reading a push configuration over HTTP+JSON returns another url.", {
    codec: restAnswer("GetTaskPushNotificationConfig", (config) => ({ ...config, url: "https://example.com/" })),
  }),

  full("REST-009.array", "HTTP+JSON lists push configurations as an array without a wrapper.", {
    codec: restAnswer("ListTaskPushNotificationConfigs", ({ configs }) => configs ?? []),
  }),

  full("REST-010.no-delete", "DELETE of a push configuration has no route.", {
    http: unrouted(({ method }) => method === "DELETE"),
  }),

  spec("REST-011.old-path", "The extended card is served only at the 0.3 path /v1/card.", {
    http: unrouted(({ path }) => path.endsWith("/extendedAgentCard")),
  }),

  spec("REST-012.elsewhere", "GET /tasks/{id} below the declared url returns an HTML page with status 404.", {
    http: nowhere,
  }),

  spec("REST-013.text", "HTTP+JSON responses have the Content-Type text/plain.", {
    http: changeAnswers((answer) =>
      answer.status < 300 && answer.headers["Content-Type"] === "application/a2a+json"
        ? { ...answer, headers: { ...answer.headers, "Content-Type": "text/plain" } }
        : answer,
    ),
  }),

  spec("REST-015.one-label", "The agent does not parse bodies with the Content-Type application/a2a+json.", {
    http: changeRequests(({ headers }) =>
      headers["content-type"]?.includes("a2a+json") ? { headers: { ...headers, "content-type": "text/plain" } } : {},
    ),
  }),

  full("REST-016.posts-only", "GET requests over HTTP+JSON ignore the A2A-Version header.", {
    http: changeRequests((request) =>
      isRest(request) && request.method === "GET" ? { headers: { ...request.headers, "a2a-version": "1.0" } } : {},
    ),
  }),

  spec("REST-018.other-name", "GET /tasks ignores contextId in the query.", {
    http: changeQuery((query) => query.replace("contextId=", "context=")),
  }),

  spec("REST-018.snake-token", "The query parameter pageToken works only as page_token.", {
    http: changeQuery((query) => query.replace("pageToken=", "ignored=").replace("page_token=", "pageToken=")),
  }),

  spec("REST-018.snake-history", "The query parameter historyLength works only as history_length.", {
    http: changeQuery((query) =>
      query.replace("historyLength=", "ignored=").replace("history_length=", "historyLength="),
    ),
  }),

  spec("REST-018.snake-artifacts", "The query parameter includeArtifacts works only as include_artifacts.", {
    http: changeQuery((query) =>
      query.replace("includeArtifacts=", "ignored=").replace("include_artifacts=", "includeArtifacts="),
    ),
  }),

  spec("REST-020.presence", "GET /tasks treats includeArtifacts=false as true.", {
    http: changeRequests(({ query }) => ({ query: query.replace("includeArtifacts=false", "includeArtifacts=true") })),
  }),

  spec("REST-021.ignored", "GET /tasks ignores a pageSize that is not a number.", {
    http: changeQuery((query) => query.replace(/pageSize=[^&\d][^&]*/, "")),
  }),

  spec("REST-022.numbers", "GET /tasks accepts status only as a number.", {
    http: changeQuery((query) => query.replace("status=TASK_STATE_", "status=x")),
  }),

  spec("REST-023.epoch", "GET /tasks accepts statusTimestampAfter only as a number.", {
    http: changeQuery((query) => query.replace(/(statusTimestampAfter=)[^&]*[^&\d][^&]*/, "$1x")),
  }),

  spec("REST-024.undecoded", "GET /tasks does not decode percent-encoded query values.", {
    http: changeQuery((query) => query.replaceAll("%", "%25")),
  }),

  spec("REST-027.problem", "HTTP+JSON errors are problem documents (RFC 9457).", {
    http: changeAnswers((answer, { method, path }) => {
      const { error } = JSON.parse(answer.status < 400 ? "{}" : String(answer.body)) as { error?: JsonObject };
      // A JSON-RPC error may have such a status too, but it has no details.
      if (!error?.["details"]) return answer;
      const { code, message } = error;
      return {
        ...answer,
        headers: { ...answer.headers, "Content-Type": "application/problem+json" },
        body: JSON.stringify({ type: "about:blank", title: message!, status: code!, instance: `${method} ${path}` }),
      };
    }),
  }),

  spec("REST-027.detail", "HTTP+JSON errors have only a detail member, as some frameworks write them.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && answer.status >= 400 ? { ...answer, body: JSON.stringify({ detail: "Not Found" }) } : answer,
    ),
  }),

  spec("REST-028.number", "The status of an HTTP+JSON error is the number 404.", {
    codec: errors("HTTP+JSON", ({ error }) => ({ error: { ...(error as JsonObject), status: 404 } })),
  }),

  spec("REST-029.untyped", "The details of HTTP+JSON errors have no @type.", {
    codec: changeDetails((details) => details.map(({ "@type": _none, ...detail }) => detail)),
  }),

  spec("REST-027.text", "HTTP+JSON errors are a line of text.", {
    http: changeAnswers((answer) => {
      const { error } = JSON.parse(answer.status < 400 ? "{}" : String(answer.body)) as { error?: JsonObject };
      if (!error?.["details"]) return answer;
      const headers = { ...answer.headers, "Content-Type": "text/plain" };
      return { ...answer, headers, body: `${error["message"]}\n` };
    }),
  }),

  spec("REST-029.lines", "The details of HTTP+JSON errors are strings.", {
    codec: changeDetails((details) => details.map((detail) => JSON.stringify(detail))),
  }),

  spec("REST-030.short-type", "The @type of error details has no type.googleapis.com/ prefix.", {
    codec: errors("HTTP+JSON", ({ error }) => {
      const { details, ...rest } = error as JsonObject;
      const named = (details as JsonObject[]).map((detail) => ({
        ...detail,
        "@type": String(detail["@type"]).replace("type.googleapis.com/", ""),
      }));
      return { error: { ...rest, details: named } };
    }),
  }),

  spec("REST-030.host-domain", "The domain in the ErrorInfo is the name of the host.", {
    codec: changeDetails((details) =>
      details.map((detail) => (detail["domain"] ? { ...detail, domain: "agent.example.com" } : detail)),
    ),
  }),

  spec("REST-031.prose", "HTTP+JSON errors name the invalid field only in their text.", {
    codec: changeDetails((details) => details.filter((detail) => !detail["fieldViolations"])),
  }),

  spec("REST-032.html", "HTTP+JSON errors have the Content-Type text/html.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && answer.status >= 400
        ? { ...answer, headers: { ...answer.headers, "Content-Type": "text/html" } }
        : answer,
    ),
  }),

  spec("REST-033.enveloped", "The events of an HTTP+JSON stream have a JSON-RPC envelope.", {
    codec: (json, { is, binding }) =>
      is === "event" && binding === "HTTP+JSON" ? { jsonrpc: "2.0", id: 1, result: json } : json,
  }),

  spec("REST-033.no-json", "HTTP+JSON stream events contain plain text instead of JSON.", {
    http: changeEventData((data) => (data.startsWith('{"jsonrpc"') ? data : "something happened")),
  }),

  spec("REST-034.empty-stream", "A failed POST /message:stream returns an empty stream with status 200.", {
    http: silentRefusals,
  }),

  spec("REST-035.dies", "Crashes and restarts on a body that is not JSON.", {
    http: diesOn((body) => body !== "" && !body.includes('"jsonrpc"') && !isJson(body)),
  }),

  spec("REST-035.breaks-down", "A body that is not JSON causes an internal error.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && String(answer.body).includes('"PARSE_ERROR"')
        ? { status: 500, headers: { "Content-Type": "text/plain" }, body: "Internal Server Error" }
        : answer,
    ),
  }),

  spec("REST-035.takes-arrays", "POST /message:send accepts a JSON array as its body.", {
    http: changeRequests((request) => ({
      body: async () => {
        const body = await request.body();
        return isRest(request) && String(body) === "[]" ? Buffer.from(JSON.stringify(anyMessage)) : body;
      },
    })),
  }),

  spec("REST-036.no-reason", "A 404 over HTTP+JSON has no ErrorInfo.", {
    codec: changeDetails((details) => details.filter(({ reason }) => reason !== "TASK_NOT_FOUND")),
  }),

  spec("REST-037.control-character", "Each event of an HTTP+JSON stream starts with a record separator (0x1E).", {
    http: changeStreamText((piece) => piece.replaceAll(/^data: (?!\{"jsonrpc")/gm, "\u001e$&")),
  }),

  spec("REST-037.lines", "An HTTP+JSON stream sends one JSON object per line, without data:.", {
    http: linesOfRest,
  }),
];

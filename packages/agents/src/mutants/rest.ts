import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Handler, WireRequest } from "@assay/wire/server";
import type { Layers } from "../layers.ts";
import { mutant } from "../mutant.ts";
import { changeStreamText } from "../mutation/bytes.ts";
import { changeAnswers, changeEventData, changeRequests, replyWith } from "../mutation/http.ts";
import { errors } from "../mutation/json.ts";
import { diesOn, isJson } from "../mutation/requests.ts";

const anyMessage = { message: { messageId: "any", role: "ROLE_USER", parts: [{ text: "task-lifecycle hi" }] } };

const isRest = ({ path }: Pick<WireRequest, "path">): boolean => /\/(message:|tasks\b|extendedAgentCard)/.test(path);

const restAnswer =
  (operation: string, change: (answer: JsonObject) => JsonValue): NonNullable<Layers["codec"]> =>
  (json, written) =>
    written.binding === "HTTP+JSON" && written.is === "answer" && written.operation === operation
      ? change(json as JsonObject)
      : json;

/** Such requests find nothing that takes them. */
const unrouted = (fits: (request: WireRequest) => boolean) =>
  changeRequests((request) => (fits(request) ? { method: "PUT" } : {}));

const changeQuery = (change: (query: string) => string) =>
  changeRequests((request) => (isRest(request) ? { query: change(request.query) } : {}));

/** The details of an error are written differently. */
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

/** Streams that were refused are streams that hold nothing. */
const silentRefusals =
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(request, request.path.endsWith(":stream") ? replyWith(reply, { send: () => reply.events({}).end() }) : reply);

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
  mutant("REST-001.bare", "spec", "Answers a message over HTTP+JSON with the task itself.", {
    codec: restAnswer("SendMessage", ({ task, message }) => (task ?? message)!),
  }),

  mutant("REST-002.json", "spec", "Labels the streams of HTTP+JSON as application/json.", { http: labelledStreams }),

  mutant("REST-003.wrapped", "spec", "Wraps the task that it is asked for over HTTP+JSON.", {
    codec: restAnswer("GetTask", (task) => ({ task })),
  }),

  mutant("REST-004.no-get", "spec", "Does not list tasks by GET.", {
    http: unrouted(({ method, path }) => method === "GET" && path.endsWith("/tasks")),
  }),

  mutant("REST-005.colon", "spec", "Takes :cancel for a part of the task's id, which cannot be posted to.", {
    http: changeRequests(({ method, path }) =>
      method === "POST" && path.endsWith(":cancel") ? { method: "PUT" } : {},
    ),
  }),

  mutant("REST-006.slash", "spec", "Has no :subscribe, by whichever verb.", {
    http: unrouted(({ path }) => path.endsWith(":subscribe")),
  }),

  mutant("REST-007.other-task", "full", "Gives a created push configuration over HTTP+JSON no taskId.", {
    codec: restAnswer("CreateTaskPushNotificationConfig", ({ taskId: _none, ...config }) => config),
  }),

  mutant("REST-008.other-url", "full", "Shows push configurations over HTTP+JSON with another address than theirs.", {
    codec: restAnswer("GetTaskPushNotificationConfig", (config) => ({ ...config, url: "https://example.com/" })),
  }),

  mutant("REST-009.array", "full", "Lists push configurations over HTTP+JSON as a bare array.", {
    codec: restAnswer("ListTaskPushNotificationConfigs", ({ configs }) => configs ?? []),
  }),

  mutant("REST-010.no-delete", "full", "Does not know DELETE.", {
    http: unrouted(({ method }) => method === "DELETE"),
  }),

  mutant("REST-011.old-path", "spec", "Has its extended card only where 0.3 had it.", {
    http: unrouted(({ path }) => path.endsWith("/extendedAgentCard")),
  }),

  mutant("REST-012.elsewhere", "spec", "Has its tasks somewhere else than directly below the address on its card.", {
    http: nowhere,
  }),

  mutant("REST-013.text", "spec", "Labels its answers over HTTP+JSON as plain text.", {
    http: changeAnswers((answer) =>
      answer.status < 300 && answer.headers["Content-Type"] === "application/a2a+json"
        ? { ...answer, headers: { ...answer.headers, "Content-Type": "text/plain" } }
        : answer,
    ),
  }),

  mutant("REST-015.one-label", "spec", "Does not read bodies labelled application/a2a+json.", {
    http: changeRequests(({ headers }) =>
      headers["content-type"]?.includes("a2a+json") ? { headers: { ...headers, "content-type": "text/plain" } } : {},
    ),
  }),

  mutant("REST-016.posts-only", "full", "Looks at the version of an HTTP+JSON request only where it is a POST.", {
    http: changeRequests((request) =>
      isRest(request) && request.method === "GET" ? { headers: { ...request.headers, "a2a-version": "1.0" } } : {},
    ),
  }),

  mutant("REST-018.other-name", "spec", "Does not know contextId in a query.", {
    http: changeQuery((query) => query.replace("contextId=", "context=")),
  }),

  mutant("REST-018.snake-token", "spec", "Knows the token of a page in a query as page_token alone.", {
    http: changeQuery((query) => query.replace("pageToken=", "ignored=").replace("page_token=", "pageToken=")),
  }),

  mutant("REST-018.snake-history", "spec", "Knows the length of a history in a query as history_length alone.", {
    http: changeQuery((query) =>
      query.replace("historyLength=", "ignored=").replace("history_length=", "historyLength="),
    ),
  }),

  mutant("REST-018.snake-artifacts", "spec", "Knows the wish for artifacts in a query as include_artifacts alone.", {
    http: changeQuery((query) =>
      query.replace("includeArtifacts=", "ignored=").replace("include_artifacts=", "includeArtifacts="),
    ),
  }),

  mutant("REST-020.presence", "spec", "Takes includeArtifacts=false in a query for true, because it is there.", {
    http: changeRequests(({ query }) => ({ query: query.replace("includeArtifacts=false", "includeArtifacts=true") })),
  }),

  mutant("REST-021.ignored", "spec", "Ignores a number in a query that is none.", {
    http: changeQuery((query) => query.replace(/pageSize=[^&\d][^&]*/, "")),
  }),

  mutant("REST-022.numbers", "spec", "Knows states in a query only by their numbers.", {
    http: changeQuery((query) => query.replace("status=TASK_STATE_", "status=x")),
  }),

  mutant("REST-023.epoch", "spec", "Wants timestamps in a query as numbers.", {
    http: changeQuery((query) => query.replace(/(statusTimestampAfter=)[^&]*[^&\d][^&]*/, "$1x")),
  }),

  mutant("REST-024.undecoded", "spec", "Takes a query as it comes, without decoding it.", {
    http: changeQuery((query) => query.replaceAll("%", "%25")),
  }),

  mutant("REST-027.problem", "spec", "Writes its errors as problem documents (RFC 9457).", {
    http: changeAnswers((answer, { method, path }) => {
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

  mutant("REST-028.number", "spec", "Writes a number as the status of an error.", {
    codec: errors("HTTP+JSON", ({ error }) => ({ error: { ...(error as JsonObject), status: 404 } })),
  }),

  mutant("REST-029.untyped", "spec", "Does not say of what type the details of its errors are.", {
    codec: changeDetails((details) => details.map(({ "@type": _none, ...detail }) => detail)),
  }),

  mutant("REST-027.text", "spec", "Writes its errors over HTTP+JSON as a line of text.", {
    http: changeAnswers((answer) => {
      const { error } = JSON.parse(answer.status < 400 ? "{}" : String(answer.body)) as { error?: JsonObject };
      if (!error?.["details"]) return answer;
      const headers = { ...answer.headers, "Content-Type": "text/plain" };
      return { ...answer, headers, body: `${error["message"]}\n` };
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

  mutant("REST-030.host-domain", "spec", "The domain in the ErrorInfo is the name of the host.", {
    codec: changeDetails((details) =>
      details.map((detail) => (detail["domain"] ? { ...detail, domain: "agent.example.com" } : detail)),
    ),
  }),

  mutant("REST-031.prose", "spec", "Tells wrong parameters in the text of its HTTP+JSON errors alone.", {
    codec: changeDetails((details) => details.filter((detail) => !detail["fieldViolations"])),
  }),

  mutant("REST-032.html", "spec", "Labels its errors over HTTP+JSON as HTML.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && answer.status >= 400
        ? { ...answer, headers: { ...answer.headers, "Content-Type": "text/html" } }
        : answer,
    ),
  }),

  mutant("REST-033.enveloped", "spec", "Wraps the events of an HTTP+JSON stream as if they were of JSON-RPC.", {
    codec: (json, { is, binding }) =>
      is === "event" && binding === "HTTP+JSON" ? { jsonrpc: "2.0", id: 1, result: json } : json,
  }),

  mutant("REST-033.no-json", "spec", "Streams events over HTTP+JSON that are words instead of JSON.", {
    http: changeEventData((data) => (data.startsWith('{"jsonrpc"') ? data : "something happened")),
  }),

  mutant("REST-034.empty-stream", "spec", "Answers a stream that it refuses with one that holds nothing.", {
    http: silentRefusals,
  }),

  mutant("REST-035.dies", "spec", "Ends at a body that is no JSON, and is started again.", {
    http: diesOn((body) => body !== "" && !body.includes('"jsonrpc"') && !isJson(body)),
  }),

  mutant("REST-035.breaks-down", "spec", "Breaks down over a body that is no JSON.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && String(answer.body).includes('"PARSE_ERROR"')
        ? { status: 500, headers: { "Content-Type": "text/plain" }, body: "Internal Server Error" }
        : answer,
    ),
  }),

  mutant("REST-035.takes-arrays", "spec", "Takes a body that is a JSON array for a message.", {
    http: changeRequests((request) => ({
      body: async () => {
        const body = await request.body();
        return isRest(request) && String(body) === "[]" ? Buffer.from(JSON.stringify(anyMessage)) : body;
      },
    })),
  }),

  mutant("REST-036.no-reason", "spec", "Does not say over HTTP+JSON what it did not find.", {
    codec: changeDetails((details) => details.filter(({ reason }) => reason !== "TASK_NOT_FOUND")),
  }),

  mutant(
    "REST-037.control-character",
    "spec",
    "Writes a record separator (0x1E) before each event of a stream over HTTP+JSON.",
    { http: changeStreamText((piece) => piece.replaceAll(/^data: (?!\{"jsonrpc")/gm, "\u001e$&")) },
  ),

  mutant("REST-037.lines", "spec", "Writes event streams over HTTP+JSON as one object a line.", { http: linesOfRest }),
];

import { errorInfoType, errorTable, isObject, type JsonObject } from "@assay/protocol";
import { grpcStatuses } from "@assay/protocol/grpc";
import { trafficCheck } from "../../../check.ts";
import { broken, type Finding, holds, odd, tolerated } from "../../../finding.ts";
import { everyOperation } from "../../../observations/every-operation.ts";
import { settled } from "../../../observations/settled.ts";
import { streamed } from "../../../observations/streamed.ts";
import { asList, asObject, brief, resultOf } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { bodyOf, isBeforeTheBinding, isEventStream, jsonIn, mediaTypeOf, responseOf, textOf } from "../bodies.ts";

/** Before 1.0 every path began with a version. */
const below = ({ on }: Talk, path: string): string => (on.dialect === "1.0" ? path : `/v1${path}`);

const isRest = ({ on }: Talk): boolean => on.binding === "HTTP+JSON";
const isOk = (status: number): boolean => status >= 200 && status < 300;

/** A call of an operation at its own path, whose answer is therefore the binding's. */
const isCall = (talk: Talk): boolean => isRest(talk) && talk.params !== undefined;

/** A new message, behind which no missing task can be. */
const isFreshSend = ({ params, fair }: Talk): boolean =>
  fair && asObject(params?.["message"])?.["taskId"] === undefined;

const isUnrouted = (status: number): boolean => status === 404 || status === 405;

const sendRoute = trafficCheck({
  id: "REST-001",
  title: "POST /message:send answers 200 with task or message",
  remedy: 'Serve POST /message:send below the interface\'s URL, and answer 200 with {"task": …} or {"message": …}.',
  occasions: [settled],
  judge(talk) {
    const response = responseOf(talk);
    if (!isCall(talk) || talk.operation !== "SendMessage" || !isFreshSend(talk) || !response) return undefined;
    const saw = `HTTP ${response.status} ${brief(textOf(response.body), 120)}`;
    const details = { saw, want: "HTTP 200 with task or message", at: talk };
    const route = `POST ${below(talk, "/message:send")}`;
    if (isUnrouted(response.status)) return broken(`${route} is not served`, details);
    if (!isOk(response.status)) return undefined;
    // How it is spelled before 1.0 is disputed, and for V03-REST-001.
    const isOlder = talk.on.dialect !== "1.0";
    const body = isOlder ? asObject(resultOf(talk)) : bodyOf(talk);
    if (!isObject(body?.["task"]) && !isObject(body?.["message"]))
      return broken(`the answer of ${route} has neither task nor message`, details);
    if (response.status === 200 || isOlder) return holds();
    return odd(`${route} is answered with HTTP ${response.status} instead of 200`, details);
  },
});

const streamRoute = trafficCheck({
  id: "REST-002",
  title: "POST /message:stream answers 200 with an event stream",
  remedy: "Serve POST /message:stream, and answer 200 with Content-Type: text/event-stream.",
  occasions: [streamed],
  judge(talk) {
    const { response } = talk.exchange.http;
    if (!isCall(talk) || talk.operation !== "SendStreamingMessage" || !isFreshSend(talk) || !response) return undefined;
    const saw = `HTTP ${response.status}, Content-Type: ${mediaTypeOf(talk) || "(none)"}`;
    const details = { saw, want: "HTTP 200 with Content-Type: text/event-stream", at: talk };
    const route = `POST ${below(talk, "/message:stream")}`;
    if (isUnrouted(response.status)) return broken(`${route} is not served`, details);
    if (!isOk(response.status)) return undefined;
    if (!isEventStream(talk)) return broken(`${route} is answered without an event stream`, details);
    if (response.status === 200) return holds();
    return broken(`a stream comes with HTTP ${response.status}`, details);
  },
});

const getRoute = trafficCheck({
  id: "REST-003",
  title: "GET /tasks/{id} answers with the bare Task",
  remedy: "Answer GET /tasks/{id} with the Task itself, without anything around it.",
  occasions: [settled],
  otherwise: "the agent made no task",
  judge(talk) {
    const response = responseOf(talk);
    if (!isCall(talk) || talk.operation !== "GetTask" || !response || !isOk(response.status)) return undefined;
    const body = bodyOf(talk);
    if (typeof body?.["id"] === "string" && isObject(body["status"])) return holds();
    const isWrapped = isObject(body?.["task"]) || isObject(body?.["result"]);
    const route = `GET ${below(talk, "/tasks/{id}")}`;
    return broken(isWrapped ? `the Task in the answer of ${route} is wrapped` : `the answer of ${route} is no Task`, {
      saw: brief(textOf(response.body)),
      want: '{"id": …, "status": {…}}',
      at: talk,
    });
  },
});

const pathsBelowUrl = trafficCheck({
  id: "REST-012",
  title: "paths stand directly below the interface's URL",
  remedy: "Serve /message:send, /tasks and so on directly below the url of the interface, its path included.",
  judge(talk) {
    const response = responseOf(talk);
    if (!isCall(talk) || !talk.fair || !response || isBeforeTheBinding(response.status)) return undefined;
    const always = ["SendMessage", "GetTask", "ListTasks"];
    if (talk.operation === undefined || !always.includes(talk.operation)) return undefined;
    // An error in a form of its own, or the page of a web server.
    if (response.status !== 404 || talk.reply.is !== "malformed" || bodyOf(talk)) return holds();
    return broken("there is nothing below the interface's URL where an operation belongs", {
      saw: `HTTP 404 ${brief(textOf(response.body), 100)}`,
      want: "an answer of HTTP+JSON",
      at: talk,
    });
  },
});

const successLabel = trafficCheck({
  id: "REST-013",
  title: "answers are labelled application/a2a+json",
  remedy: "Send Content-Type: application/a2a+json with every answer that is no stream.",
  occasions: [everyOperation],
  judge(talk) {
    const response = responseOf(talk);
    if (!isRest(talk) || !response || !isOk(response.status) || isEventStream(talk) || response.body.length === 0)
      return undefined;
    // An unasked-for 200 for a stream is REST-002's.
    if (talk.streamed) return undefined;
    const type = mediaTypeOf(talk);
    if (type === "application/a2a+json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/a2a+json", at: talk };
    // What 1.0.0 asked for (AMB-18).
    if (type === "application/json") return odd("answers are labelled application/json", details);
    return broken("an answer is not labelled as JSON", details);
  },
});

/** An error of the binding: neither somebody in front of it nor an address that is none. */
function errorBody(talk: Talk): { readonly status: number; readonly body: JsonObject | undefined } | undefined {
  const response = responseOf(talk);
  if (!isCall(talk) || !response || response.status < 400 || isBeforeTheBinding(response.status)) return undefined;
  return { status: response.status, body: bodyOf(talk) };
}

export const errorShape = trafficCheck({
  id: "REST-027",
  title: "an error is {error: {code, message, details}} with the HTTP status as code",
  remedy: 'Write errors as {"error": {"code": <the HTTP status>, "status": …, "message": …, "details": […]}}.',
  occasions: [everyOperation],
  judge(talk) {
    const found = errorBody(talk);
    if (!found) return undefined;
    const { status, body } = found;
    const shown = textOf(responseOf(talk)!.body);
    const details = {
      saw: `HTTP ${status} ${brief(shown)}`,
      want: `{"error": {"code": ${status}, "message": …}}`,
      at: talk,
    };
    if (!body) return broken(`an error has ${shown.trim() ? "a body that is no JSON object" : "no body"}`, details);
    if (!isObject(body["error"])) {
      if (isBareStatus(body))
        return tolerated("AMB-03", "an error is a google.rpc.Status without error around it", details);
      const isProblem = mediaTypeOf(talk) === "application/problem+json" || ("title" in body && "status" in body);
      return broken(`an error is ${isProblem ? "a problem document (RFC 9457)" : "not wrapped in error"}`, details);
    }
    const { code, message } = body["error"] as JsonObject;
    if (typeof message !== "string") return broken("error.message is no string", details);
    if (code === status) return holds();
    if (typeof code !== "number") return broken("error.code is no number", details);
    // What google.rpc.Status itself would have there.
    if (Object.values(grpcStatuses).some((known) => known === code))
      return odd("error.code is a gRPC number instead of the HTTP status", details);
    return broken("error.code differs from the HTTP status", details);
  },
});

/** As ProtoJSON writes a Status, and with an ErrorInfo, so that it can be understood. */
const isBareStatus = (body: JsonObject): boolean =>
  typeof body["code"] === "number" &&
  typeof body["message"] === "string" &&
  asList(body["details"]).some((detail) => asObject(detail)?.["@type"] === errorInfoType);

export const errorStatusName = trafficCheck({
  id: "REST-028",
  title: "an error names its gRPC status",
  remedy: 'Write the gRPC name of the error as error.status, such as "NOT_FOUND".',
  judge(talk) {
    const error = errorBody(talk)?.body?.["error"];
    if (!isObject(error)) return undefined;
    const { status, details } = error as JsonObject;
    const place = (want: string) => ({ saw: `status ${brief(status, 60)}`, want, at: talk });
    if (status === undefined || status === null)
      return broken("an error does not name its gRPC status", place("a name such as NOT_FOUND"));
    if (typeof status !== "string" || !(status in grpcStatuses))
      return broken("error.status is no name of a gRPC status", place("a name such as NOT_FOUND"));
    const reason = asList(details)
      .map((detail) => asObject(detail)?.["reason"])
      .find((each) => typeof each === "string");
    const rows: readonly { reason: string; grpc: string; before?: { http?: number; grpc?: string } }[] =
      Object.values(errorTable);
    const row = rows.find((each) => each.reason === reason);
    if (!row || status === row.grpc || status === row.before?.grpc) return holds();
    return broken(`error.status is ${status} for ${row.reason}`, place(row.grpc));
  },
});

const errorLabel = trafficCheck({
  id: "REST-032",
  title: "error bodies are labelled application/a2a+json or application/json",
  remedy: "Send Content-Type: application/a2a+json with errors too.",
  judge(talk) {
    const response = responseOf(talk);
    if (!errorBody(talk) || !response?.body.length) return undefined;
    const type = mediaTypeOf(talk);
    if (type === "application/a2a+json" || type === "application/json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/a2a+json", at: talk };
    if (/[/+]json$/.test(type)) return broken(`an error is labelled ${type}`, details);
    return broken("an error is not labelled as JSON", details);
  },
});

const streamMembers = ["task", "message", "statusUpdate", "artifactUpdate"];

const bareEvents = trafficCheck({
  id: "REST-033",
  title: "each event of a stream is a bare StreamResponse",
  remedy:
    'Write the StreamResponse itself as the data of each event, such as {"statusUpdate": {…}}, without an envelope.',
  occasions: [streamed],
  judge(talk) {
    const { sse } = talk.exchange.http;
    if (!isRest(talk) || !sse) return undefined;
    return sse.events.flatMap(({ data }): Finding[] => {
      const json = asObject(jsonIn(data));
      // Events that run together are REST-037's, and how an error looks in a stream is open.
      if (!json || "error" in json) return [];
      // The other spelling of 0.3, which is for V03-REST-001.
      if (talk.on.dialect !== "1.0" && typeof json["kind"] === "string") return [];
      const details = { saw: brief(data), want: `exactly one of ${streamMembers.join(", ")}`, at: talk };
      if ("jsonrpc" in json) return [broken("an event of the stream has an envelope of JSON-RPC", details)];
      const held = streamMembers.filter((member) => isObject(json[member]));
      if (held.length === 1) return [holds()];
      return [broken(`an event of the stream holds ${held.length ? "more than one" : "no"} StreamResponse`, details)];
    });
  },
});

export const restEnvelopeChecks = [
  sendRoute,
  streamRoute,
  getRoute,
  pathsBelowUrl,
  successLabel,
  errorShape,
  errorStatusName,
  errorLabel,
  bareEvents,
];

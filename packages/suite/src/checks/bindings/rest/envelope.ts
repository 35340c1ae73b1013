import { errorInfoType, errorTable, isObject, type JsonObject } from "@assay/protocol";
import { grpcStatuses } from "@assay/protocol/grpc";
import { asList, asObject, brief } from "../../../answers/loose-json.ts";
import { resultOf } from "../../../answers/reading.ts";
import { isPage } from "../../../answers/served.ts";
import type { Call } from "../../../define/call.ts";
import { noTaskSeen, passiveCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { taskStream } from "../../../observations/task-stream.ts";
import { everyOperation } from "../../../observations/unknown-task.ts";
import { bodyOf, isBeforeTheBinding, isEventStream, mediaTypeOf, objectIn, responseOf, textOf } from "../bodies.ts";

type Place = Pick<Target, "on">;

/** Returns a path of the version: before 1.0, every path began with a version. */
export const below = ({ on }: Place, path: string): string => (on.dialect === "1.0" ? path : `/v1${path}`);

export const extendedCardPath = ({ on }: Place): string => (on.dialect === "1.0" ? "/extendedAgentCard" : "/v1/card");

const isRest = ({ on }: Call): boolean => on.binding === "HTTP+JSON";
const isOk = (status: number): boolean => status >= 200 && status < 300;

/** Recognises a call of an operation at its own path, so the response comes from the binding. */
const isCall = (call: Call): boolean => isRest(call) && call.params !== undefined;

/** Recognises a message that starts a task, so that no missing task can cause the refusal. */
const isFreshSend = ({ params, fair }: Call): boolean =>
  fair && asObject(params?.["message"])?.["taskId"] === undefined;

const isUnrouted = (status: number): boolean => status === 404 || status === 405;

export const sendRoute = passiveCheck("REST-001", {
  shownBy: [sentMessage],
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || call.operation !== "SendMessage" || !isFreshSend(call) || !response) return undefined;
    const saw = `HTTP ${response.status} ${brief(textOf(response.body), 120)}`;
    const details = { saw, want: "HTTP 200 with task or message" };
    const route = `POST ${below(call, "/message:send")}`;
    if (isUnrouted(response.status)) return broken(`the agent does not serve ${route}`, details);
    if (!isOk(response.status)) return undefined;
    const written = bodyOf(call);
    // The spelling before 1.0 is disputed; V03-REST-001 judges it, with or without the wrapper.
    const isOfSchema = call.on.dialect !== "1.0" && typeof written?.["kind"] === "string";
    const body = isOfSchema ? asObject(resultOf(call)) : written;
    if (!isObject(body?.["task"]) && !isObject(body?.["message"]))
      return broken(`the response of ${route} has neither task nor message`, details);
    if (response.status === 200) return holds();
    return breach("other-success-status", `${route} returns HTTP ${response.status}, expected 200`, details);
  },
});

export const streamRoute = passiveCheck("REST-002", {
  shownBy: [taskStream],
  judge(call) {
    const { response } = call.exchange.http;
    if (!isCall(call) || call.operation !== "SendStreamingMessage" || !isFreshSend(call) || !response) return undefined;
    const saw = `HTTP ${response.status}, Content-Type: ${mediaTypeOf(call) || "(none)"}`;
    const details = { saw, want: "HTTP 200 with Content-Type: text/event-stream" };
    const route = `POST ${below(call, "/message:stream")}`;
    if (isUnrouted(response.status)) return broken(`the agent does not serve ${route}`, details);
    if (!isOk(response.status)) return undefined;
    if (!isEventStream(call)) return broken(`${route} does not return an event stream`, details);
    if (response.status === 200) return holds();
    return broken(`a stream has HTTP status ${response.status}`, details);
  },
});

export const getRoute = passiveCheck("REST-003", {
  shownBy: [sentMessage],
  otherwise: noTaskSeen,
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || call.operation !== "GetTask" || !response || !isOk(response.status)) return undefined;
    const body = bodyOf(call);
    if (typeof body?.["id"] === "string" && isObject(body["status"])) return holds();
    const isWrapped = isObject(body?.["task"]) || isObject(body?.["result"]);
    const route = `GET ${below(call, "/tasks/{id}")}`;
    return broken(
      isWrapped ? `the Task in the response of ${route} is wrapped` : `the response of ${route} is not a Task`,
      {
        saw: brief(textOf(response.body)),
        want: '{"id": …, "status": {…}}',
      },
    );
  },
});

export const pathsBelowUrl = passiveCheck("REST-012", {
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || !call.fair || !response || isBeforeTheBinding(response.status)) return undefined;
    const always = ["SendMessage", "GetTask", "ListTasks"];
    if (call.operation === undefined || !always.includes(call.operation)) return undefined;
    // A malformed error, or the page of a web server.
    if (response.status !== 404 || call.reply.is !== "malformed" || bodyOf(call)) return holds();
    return breach("page-not-found", "the interface's URL has no endpoint at the path of an operation", {
      saw: `HTTP 404 ${brief(textOf(response.body), 100)}`,
      want: "an HTTP+JSON response",
    });
  },
});

export const successLabel = passiveCheck("REST-013", {
  shownBy: [everyOperation],
  judge(call) {
    const response = responseOf(call);
    if (!isRest(call) || !response || !isOk(response.status) || isEventStream(call) || response.body.length === 0)
      return undefined;
    // REST-002 judges a stream that was not requested.
    if (call.streamed) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/a2a+json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/a2a+json" };
    // The media type of 1.0.0 (AMB-18).
    if (type === "application/json")
      return breach("plain-json-label", "the Content-Type of responses is application/json", details);
    return broken("the Content-Type of a response is not JSON", details);
  },
});

/** Returns an error of the binding, not one of a gateway or of a wrong address. */
function errorBody(call: Call): { readonly status: number; readonly body: JsonObject | undefined } | undefined {
  const response = responseOf(call);
  if (!isCall(call) || !response || response.status < 400 || isBeforeTheBinding(response.status)) return undefined;
  return { status: response.status, body: bodyOf(call) };
}

export const errorShape = passiveCheck("REST-027", {
  shownBy: [everyOperation],
  judge(call) {
    const found = errorBody(call);
    if (!found) return undefined;
    const { status, body } = found;
    const shown = textOf(responseOf(call)!.body);
    const details = { saw: `HTTP ${status} ${brief(shown)}`, want: `{"error": {"code": ${status}, "message": …}}` };
    const wrong = isPage(call) ? "page-not-found" : "broken";
    if (!body)
      return breach(wrong, `an error has ${shown.trim() ? "a body that is not a JSON object" : "no body"}`, details);
    if (!isObject(body["error"])) {
      if (isBareStatus(body))
        return breach("bare-status", "an error is a google.rpc.Status that is not wrapped in error", details);
      const isProblem = mediaTypeOf(call) === "application/problem+json" || ("title" in body && "status" in body);
      return breach(
        wrong,
        `an error is ${isProblem ? "a problem document (RFC 9457)" : "not wrapped in error"}`,
        details,
      );
    }
    const { code, message } = body["error"] as JsonObject;
    if (typeof message !== "string") return broken("error.message is not a string", details);
    if (code === status) return holds();
    if (typeof code !== "number") return broken("error.code is not a number", details);
    // google.rpc.Status itself has this number here.
    if (Object.values(grpcStatuses).some((known) => known === code))
      return breach("grpc-number", "error.code is a gRPC number instead of the HTTP status", details);
    return broken("error.code differs from the HTTP status", details);
  },
});

/** Recognises a Status in ProtoJSON with an ErrorInfo, which clients can understand. */
const isBareStatus = (body: JsonObject): boolean =>
  typeof body["code"] === "number" &&
  typeof body["message"] === "string" &&
  asList(body["details"]).some((detail) => asObject(detail)?.["@type"] === errorInfoType);

export const errorStatusName = passiveCheck("REST-028", {
  judge(call) {
    const error = errorBody(call)?.body?.["error"];
    if (!isObject(error)) return undefined;
    const { status, details } = error as JsonObject;
    const place = (want: string) => ({ saw: `status ${brief(status, 60)}`, want });
    if (status === undefined || status === null)
      return broken("an error has no status member", place("a name such as NOT_FOUND"));
    if (typeof status !== "string" || !(status in grpcStatuses))
      return broken("error.status is not a gRPC status name", place("a name such as NOT_FOUND"));
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

export const errorLabel = passiveCheck("REST-032", {
  judge(call) {
    const response = responseOf(call);
    if (!errorBody(call) || !response?.body.length) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/a2a+json" || type === "application/json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/a2a+json" };
    if (/[/+]json$/.test(type)) return broken(`the Content-Type of an error is ${type}`, details);
    return breach(isPage(call) ? "page-not-found" : "broken", "the Content-Type of an error is not JSON", details);
  },
});

const streamMembers = ["task", "message", "statusUpdate", "artifactUpdate"];

export const bareEvents = passiveCheck("REST-033", {
  shownBy: [taskStream],
  judge(call) {
    const { sse } = call.exchange.http;
    if (!isRest(call) || !sse) return undefined;
    return sse.events.flatMap((event): Finding[] => {
      const json = objectIn(event);
      // REST-037 judges events without a blank line between them; the form of errors in a stream is undefined.
      if (!json || "error" in json) return [];
      // V03-REST-001 judges the other spelling of 0.3.
      if (call.on.dialect !== "1.0" && typeof json["kind"] === "string") return [];
      const details = { saw: brief(event.data), want: `exactly one of ${streamMembers.join(", ")}` };
      if ("jsonrpc" in json) return [broken("an event of the stream has a JSON-RPC envelope", details)];
      const held = streamMembers.filter((member) => isObject(json[member]));
      if (held.length === 1) return [holds()];
      return [
        broken(`an event of the stream contains ${held.length ? "more than one" : "no"} StreamResponse`, details),
      ];
    });
  },
});

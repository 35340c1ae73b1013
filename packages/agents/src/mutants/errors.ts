import { A2AError, type ErrorName, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { type Divergence, echo, full, minimal, secure, spec, strict } from "../definition/divergence.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { refusesFor } from "../mutation/admission.ts";
import { taskOfAnybody } from "../mutation/callers.ts";
import { onFirstCall, tooMany } from "../mutation/first-call.ts";
import { changeAnswers, changeRequests, type HttpAnswer } from "../mutation/http.ts";
import { eachMember, errors, recoded, without } from "../mutation/json.ts";
import { instead, intercept, orElse, refuseAs } from "../mutation/operations.ts";
import { changeMessage } from "../mutation/requests.ts";

/** The roles that the base agent knows or rejects as missing. */
const knownRoles = ["", "ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT", "0", "1", "2"];

/** Changes the HTTP status of HTTP+JSON errors with this reason. */
const restStatus = (reason: string, status: number) =>
  changeAnswers((answer): HttpAnswer => {
    if (answer.status < 400 || !String(answer.body).includes(`"reason":"${reason}"`)) return answer;
    const { error } = JSON.parse(String(answer.body)) as { error: JsonObject };
    return "jsonrpc" in JSON.parse(String(answer.body))
      ? answer
      : { ...answer, status, body: JSON.stringify({ error: { ...error, code: status } }) };
  });

/** Changes the details of JSON-RPC and HTTP+JSON errors. */
const changeDetails = (change: (details: JsonObject[]) => JsonValue) => (answer: JsonObject) => {
  const error = answer["error"] as JsonObject;
  const name = "data" in error ? "data" : "details";
  return { ...answer, error: { ...error, [name]: change((error[name] ?? []) as JsonObject[]) } };
};

const refusing = (kind: ErrorName, message: string) => (): never => {
  throw new A2AError(kind, message);
};

const pushOperations = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
] as const;

export const errorMutants: readonly Divergence[] = [
  spec("ERR-001.in-result", "GetTask for an unknown task returns HTTP 200 with an error text in the result.", {
    http: changeAnswers((answer) => {
      const body = String(answer.body);
      if (!body.includes('"TASK_NOT_FOUND"')) return answer;
      const { jsonrpc, id, error } = JSON.parse(body) as JsonObject;
      const result = { error: (error as JsonObject)["message"]! };
      return { ...answer, status: 200, body: JSON.stringify(jsonrpc ? { jsonrpc, id: id!, result } : result) };
    }),
  }),

  spec("ERR-001.wordless", "Errors have a code and no message.", {
    codec: (json, { is, binding }) =>
      is === "error" && binding !== "GRPC" ? eachMember(json, "message", () => "") : json,
  }),

  spec("ERR-002.lines", "HTTP+JSON errors have strings as details.", {
    codec: errors(
      "HTTP+JSON",
      changeDetails((details) => details.map((detail) => JSON.stringify(detail))),
    ),
  }),

  spec("ERR-002.single", "JSON-RPC errors have one object in data instead of an array.", {
    codec: errors("JSONRPC", (answer) => {
      const error = answer["error"] as JsonObject;
      const [detail] = (error["data"] ?? []) as JsonObject[];
      return detail ? { ...answer, error: { ...error, data: detail } } : answer;
    }),
  }),

  spec("ERR-003.private-type", "Errors over JSON-RPC use a private @type instead of ErrorInfo.", {
    codec: errors(
      "JSONRPC",
      changeDetails((details) => details.map((detail) => ({ ...detail, "@type": "example.com/agent.ErrorReason" }))),
    ),
  }),

  spec("ERR-003.no-details", "Errors have only a code and a message.", {
    codec: errors("JSONRPC", (answer) => ({ ...answer, error: without(answer["error"] as JsonObject, "data") })),
  }),

  spec("ERR-025.for-requests", "Invalid parameters return -32006 (InvalidAgentResponseError) over JSON-RPC.", {
    codec: recoded(-32602, -32006),
  }),

  spec("ERR-004.any-role", "SendMessage accepts a role that does not exist.", {
    http: changeMessage((message) =>
      knownRoles.includes(String(message["role"] ?? "")) ? message : { ...message, role: "ROLE_USER" },
    ),
  }),

  spec("ERR-004.fails-later", "SendMessage with an unknown role returns a failed task instead of an error.", {
    http: changeMessage((message) =>
      knownRoles.includes(String(message["role"] ?? ""))
        ? message
        : { ...message, role: "ROLE_USER", parts: [{ text: "fail" }] },
    ),
  }),

  spec("ERR-004.takes-text", "Accepts a string instead of the list of parts.", {
    http: changeRequests((request) => ({
      async body() {
        const bytes = await request.body();
        return Buffer.from(String(bytes).replace(/"parts":("[^"]*")/, '"parts":[{"text":$1}]'));
      },
    })),
  }),

  spec("ERR-005.unprocessable", "Invalid parameters over HTTP+JSON return 422.", {
    http: restStatus("INVALID_PARAMS", 422),
  }),

  spec("ERR-006.no-field", "The error for invalid parameters does not name the invalid field.", {
    codec: (json, { is, binding }) => {
      if (is !== "error" || binding === "GRPC" || !JSON.stringify(json).includes("INVALID_PARAMS")) return json;
      const told = changeDetails((details) =>
        details.map((detail) =>
          detail["fieldViolations"] ? { ...detail, fieldViolations: [{ field: "", description: "is wrong" }] } : detail,
        ),
      )(json as JsonObject);
      return isObject(told["error"]) ? { ...told, error: { ...told["error"], message: "Invalid params" } } : told;
    },
  }),

  spec("ERR-007.unsupported", "CancelTask for an unknown task returns UnsupportedOperationError.", {
    operations: refuseAs(["CancelTask"], "TaskNotFound", "UnsupportedOperation", "There is nothing to cancel"),
  }),

  secure("ERR-008.forbidden", "GetTask returns forbidden for tasks of other callers and not found for unknown tasks.", {
    operations: instead(["GetTask"], "TaskNotFound", async (error, { request, ask }) => {
      throw (await taskOfAnybody(ask, request)) ? new A2AError("PermissionDenied", "That is not for you") : error;
    }),
  }),

  secure("ERR-009.names-the-owner", "The error for a task of another caller names its owner.", {
    operations: instead(["GetTask"], "TaskNotFound", async (error, { request, ask }) => {
      for (const caller of secureCallers) {
        const theirs = await ask("GetTask", request, { caller }).catch(() => undefined);
        if (theirs) throw new A2AError("TaskNotFound", `Task ${theirs.id} belongs to ${caller.name}`);
      }
      throw error;
    }),
  }),

  secure("ERR-010.internal", "A request without permission causes an internal error.", {
    admission: refusesFor("authorize", "Internal", "The agent failed to handle this request"),
  }),

  secure("ERR-010.any-scope", "The agent never checks the scopes of its callers.", {
    admission: (admission) => ({ ...admission, authorize: () => {} }),
  }),

  secure("ERR-011.bare", "The error for missing permissions says only Forbidden.", {
    admission: refusesFor("authorize", "PermissionDenied", "Forbidden"),
    http: changeAnswers((answer) =>
      answer.status === 403
        ? { ...answer, headers: without(answer.headers, "WWW-Authenticate") as Record<string, string> }
        : answer,
    ),
  }),

  spec("ERR-013.iso-time", "Retry-After of a 429 response is an ISO timestamp.", () => ({
    http: onFirstCall("ListTasks", (id, reply) => tooMany(id, reply, "2026-01-01T00:00:00Z")),
  })),

  spec("ERR-015.page", "An internal error over JSON-RPC is an HTML page.", () => ({
    http: onFirstCall("ListTasks", (_id, reply) =>
      reply.send(500, { "Content-Type": "text/html" }, "<!doctype html><h1>Internal Server Error</h1>\n"),
    ),
  })),

  spec("ERR-020.bad-request", "GetTask for an unknown task returns HTTP 400 over HTTP+JSON.", {
    http: restStatus("TASK_NOT_FOUND", 400),
  }),

  spec("ERR-020.other-reason", "The reason of a missing task is NOT_FOUND.", {
    http: changeAnswers((answer) => ({
      ...answer,
      body: String(answer.body).replaceAll('"TASK_NOT_FOUND"', '"NOT_FOUND"'),
    })),
  }),

  spec("ERR-021.unsupported", "CancelTask for a completed task returns UnsupportedOperationError.", {
    operations: refuseAs(["CancelTask"], "TaskNotCancelable", "UnsupportedOperation"),
  }),

  spec("ERR-022.not-implemented", "Push operations of an agent without push return HTTP 501 over HTTP+JSON.", {
    http: restStatus("PUSH_NOTIFICATION_NOT_SUPPORTED", 501),
  }),

  minimal("ERR-023.not-allowed", "An unsupported operation returns HTTP 405 over HTTP+JSON.", {
    http: restStatus("UNSUPPORTED_OPERATION", 405),
  }),

  spec("ERR-024.internal", "SendMessage with an unsupported media type returns an internal error.", {
    operations: intercept(["SendMessage"], ({ proceed }) =>
      orElse(proceed(), "ContentTypeNotSupported", refusing("Internal", "The agent failed to handle this request")),
    ),
  }),

  spec(
    "ERR-026.unsupported",
    "GetExtendedAgentCard returns UnsupportedOperationError when no extended card is configured.",
    {
      operations: intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
        await proceed();
        throw new A2AError("UnsupportedOperation", "There is no extended card");
      }),
    },
  ),

  strict("ERR-027.invalid-params", "A request without a required extension returns an invalid parameters error.", {
    admission: refusesFor("extensions", "InvalidParams", "Declare the extensions that this agent requires"),
  }),

  spec("ERR-028.http-version", "An unsupported version returns HTTP 505 over HTTP+JSON.", {
    http: restStatus("VERSION_NOT_SUPPORTED", 505),
  }),

  spec("ERR-029.internal", "CancelTask for a completed task returns an internal error.", {
    operations: refuseAs(["CancelTask"], "TaskNotCancelable", "Internal"),
  }),

  spec(
    "CAP-002.template",
    "The card says streaming: true, but streaming operations return UnsupportedOperationError.",
    {
      operations: intercept(
        ["SendStreamingMessage", "SubscribeToTask"],
        refusing("UnsupportedOperation", "This agent does not stream"),
      ),
    },
  ),

  full(
    "CAP-003.no-store",
    "The card says pushNotifications: true, but push operations return PushNotificationNotSupportedError.",
    {
      operations: intercept(pushOperations, refusing("PushNotificationNotSupported", "There is no store")),
    },
  ),

  full("CAP-003.unregistered", "The card declares push notifications, but their operations are unknown methods.", {
    operations: intercept(pushOperations, refusing("MethodNotFound", "Method not found")),
  }),

  full("CAP-003.unsupported", "The card declares push notifications, but their operations are unsupported.", {
    operations: intercept(pushOperations, refusing("UnsupportedOperation", "There is no store")),
  }),

  full("CAP-003.breaks-down", "The card declares push notifications, but their operations return internal errors.", {
    operations: intercept(pushOperations, refusing("Internal", "There is no store")),
  }),

  spec("CAP-004.no-path", "HTTP+JSON has no path for ListTasks.", {
    http: (serve) => (request, reply) =>
      /\/tasks$/.test(request.path)
        ? reply.send(404, { "Content-Type": "text/html" }, "<pre>Cannot GET /tasks</pre>\n")
        : serve(request, reply),
  }),

  echo("CAP-004.no-paths", "Answers with messages only and has no HTTP+JSON paths below /tasks.", {
    http: (serve) => (request, reply) =>
      /\/tasks(\/|$)/.test(request.path)
        ? reply.send(404, { "Content-Type": "application/json" }, JSON.stringify({ detail: "Not Found" }))
        : serve(request, reply),
  }),

  spec("CAP-004.unregistered", "Push operations are unknown methods on an agent without push.", {
    operations: intercept(pushOperations, refusing("MethodNotFound", "Method not found")),
  }),
];

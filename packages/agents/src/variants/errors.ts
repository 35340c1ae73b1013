import { A2AError, type ErrorName, isObject, type JsonObject, jsonObjectIn } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import type { Perform } from "../definition/call.ts";
import { type Divergence, echo, secure, spec } from "../definition/divergence.ts";
import { onFirstCall, tooMany } from "../mutation/first-call.ts";
import { errors, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";
import { postedText, sendRpcError } from "../mutation/requests.ts";

const refusing = (kind: ErrorName, message: string) => (): never => {
  throw new A2AError(kind, message);
};

/** A web server without routes to get, list and cancel tasks; the other bindings have the operations. */
const withoutTaskPaths =
  (serve: Handler): Handler =>
  (request, reply) =>
    /\/tasks(\/[^/:]+(:cancel)?)?$/.test(request.path)
      ? reply.send(404, { "Content-Type": "application/json" }, JSON.stringify({ detail: "Not Found" }))
      : serve(request, reply);

/** Errors where the specification allows more than one reading. */
export const errorVariants: readonly Divergence[] = [
  // AMB-01: the Java SDK still has this table, and the Rust SDK has parts of it.
  spec("old-error-column", "Errors use the HTTP and gRPC status codes of 1.0.0.", {}, { errors: "1.0.0" }),

  // AMB-02: since 1.0.1, ErrorInfo is only a SHOULD over JSON-RPC.
  spec("no-error-info", "JSON-RPC errors have a code and a message, but no data.", {
    codec: errors("JSONRPC", (answer) => ({ ...answer, error: without(answer["error"] as JsonObject, "data") })),
  }),

  // AMB-03: only the example in the specification has `status`.
  spec("no-error-status", "HTTP+JSON errors do not name their gRPC status.", {
    // Errors of 0.3 have another form, without a status.
    codec: errors("HTTP+JSON", (answer) =>
      isObject(answer["error"]) ? { error: without(answer["error"] as JsonObject, "status") } : answer,
    ),
  }),

  // §3.3.2: details are optional, and a body that is not JSON has no field that they could name.
  spec("rest-plain-parse-error", "Over HTTP+JSON, the error for a body that is not JSON has no details.", {
    http: (serve) => async (request, reply) => {
      const body = request.path.includes("/message:") ? await postedText(request) : "";
      if (body === "" || jsonObjectIn(Buffer.from(body))) return serve(request, reply);
      const error = { code: 400, status: "INVALID_ARGUMENT", message: "The body is not JSON" };
      return reply.send(400, { "Content-Type": "application/a2a+json" }, JSON.stringify({ error }));
    },
  }),

  // AMB-33: the same error for another caller's task and for a missing one reveals nothing.
  secure("uniform-403", "Returns forbidden for a task that does not exist or belongs to another caller.", {
    operations:
      (perform): Perform =>
      async (operation, request, invocation) => {
        try {
          return await perform(operation, request, invocation);
        } catch (error) {
          if (!(error instanceof A2AError) || error.kind !== "TaskNotFound") throw error;
          throw new A2AError("PermissionDenied", "You may not see that");
        }
      },
  }),

  // §3.1.11: this error is for an agent that declares an extended card and has none configured.
  spec("unconfigured-card", "The card announces an extended card that is not configured yet.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
      await proceed();
      throw new A2AError("ExtendedAgentCardNotConfigured", "The extended card is not configured yet");
    }),
  }),

  // AMB-49: an agent without tasks has nothing to get, list or cancel.
  echo("messages-without-list", "Answers with messages only and does not know ListTasks.", {
    operations: intercept(["ListTasks"], refusing("MethodNotFound", "Method not found")),
  }),
  echo("messages-alone", "Answers with messages only and knows no operation on tasks.", {
    operations: intercept(["GetTask", "ListTasks", "CancelTask"], refusing("MethodNotFound", "Method not found")),
  }),
  echo("messages-unsupported", "Answers with messages only and supports no operation on tasks.", {
    operations: intercept(
      ["GetTask", "ListTasks", "CancelTask"],
      refusing("UnsupportedOperation", "There are no tasks"),
    ),
  }),

  echo("messages-without-paths", "Answers with messages only and has no HTTP+JSON paths for tasks.", {
    http: withoutTaskPaths,
  }),

  // §3.3.2: the agent decides which messages it accepts, and how it rejects others.
  spec("wants-other-messages", "Rejects every message that does not come from its own form.", {
    operations: intercept(
      ["SendMessage", "SendStreamingMessage"],
      refusing("UnsupportedOperation", "Only orders from our form are accepted"),
    ),
  }),

  // AMB-34: it reads the message before it looks for the task that the message names.
  echo("takes-orders-only", "Rejects every message that is not an order as an invalid request.", {
    operations: intercept(["SendMessage"], refusing("InvalidRequest", "Only orders")),
  }),

  // §3.3.2 defines this error for a failed response. A test of this agent never sees a successful one.
  echo("no-good-answer", "Returns an error that says its response to the message would be invalid.", {
    operations: intercept(["SendMessage"], async ({ proceed }) => {
      await proceed();
      throw new A2AError("InvalidAgentResponse", "The model answered with nothing");
    }),
  }),

  // §3.3.2: a single failure that is reported correctly does not break the protocol.
  spec("stumbles", "The first ListTasks over JSON-RPC returns an internal error.", () => ({
    http: onFirstCall("ListTasks", (id, reply) =>
      sendRpcError(reply, id, { code: -32603, message: "The store is being restarted" }),
    ),
  })),

  // §3.3.2: servers may name a time to retry.
  spec("asks-for-patience", "The first ListTasks over JSON-RPC is rate limited, with the time to try again.", () => ({
    http: onFirstCall("ListTasks", (id, reply) => tooMany(id, reply, "1")),
  })),
];

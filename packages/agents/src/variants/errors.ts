import { A2AError, type ErrorName, isObject, type JsonObject } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import type { Perform } from "../definition/call.ts";
import { type Divergence, echo, secure, spec } from "../definition/divergence.ts";
import { onFirstCall, tooMany } from "../mutation/first-call.ts";
import { errors, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";
import { sendRpcError } from "../mutation/requests.ts";

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

/** Errors as the other reading of the specification has them. */
export const errorVariants: readonly Divergence[] = [
  // AMB-01: java and parts of rs still have this table.
  spec("old-error-column", "Errors use the HTTP and gRPC status codes of 1.0.0.", {}, { errors: "1.0.0" }),

  // AMB-02: since 1.0.1 a SHOULD on JSON-RPC.
  spec("no-error-info", "JSON-RPC errors have a code and a message, but no data.", {
    codec: errors("JSONRPC", (answer) => ({ ...answer, error: without(answer["error"] as JsonObject, "data") })),
  }),

  // AMB-03: `status` is seen in the example alone.
  spec("no-error-status", "HTTP+JSON errors do not name their gRPC status.", {
    // In 0.3 an error has another form, and no status to leave out.
    codec: errors("HTTP+JSON", (answer) =>
      isObject(answer["error"]) ? { error: without(answer["error"] as JsonObject, "status") } : answer,
    ),
  }),

  // AMB-33: one answer for "not yours" and "not there", whichever it is.
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

  // §3.1.11: the one agent that may answer so.
  spec("unconfigured-card", "The card announces an extended card that is not configured yet.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
      await proceed();
      throw new A2AError("ExtendedAgentCardNotConfigured", "The extended card is not configured yet");
    }),
  }),

  // AMB-49: nothing is to be got, listed or canceled where there are no tasks.
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

  // §3.3.2: which messages an agent takes is its own affair, and so is what it refuses them with.
  spec("wants-other-messages", "Rejects every message that does not come from its own form.", {
    operations: intercept(
      ["SendMessage", "SendStreamingMessage"],
      refusing("UnsupportedOperation", "Only orders from our form are accepted"),
    ),
  }),

  // §3.3.2: an agent whose own answer fails says so; how a success looks is not to be seen then.
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

  // §3.3.2: servers may say when to try again.
  spec("asks-for-patience", "The first ListTasks over JSON-RPC is rate limited, with the time to try again.", () => ({
    http: onFirstCall("ListTasks", (id, reply) => tooMany(id, reply, "1")),
  })),
];

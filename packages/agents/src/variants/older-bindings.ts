import { A2AError, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeAnswers, changeRequests, replaceEvents, replyWith } from "../mutation/http.ts";
import { answerOf, eachMember, without } from "../mutation/json.ts";
import { intercept, orElse } from "../mutation/operations.ts";

type Codec = NonNullable<Layers["codec"]>;
type Post = Parameters<NonNullable<Layers["push"]>>[0];

const isRest = ({ path }: { readonly path: string }): boolean => path.includes("/v1/");

const overRest =
  (codec: Codec): Codec =>
  (json, written) =>
    written.binding === "HTTP+JSON" ? codec(json, written) : json;

/** Changes the format of HTTP+JSON errors. */
const errorBodies = (change: (error: JsonObject, status: number) => JsonValue) =>
  changeAnswers((answer, request) => {
    if (!isRest(request) || answer.status < 400) return answer;
    const error = JSON.parse(String(answer.body)) as JsonObject;
    return { ...answer, body: JSON.stringify(change(error, answer.status)) };
  });

/** Starts a subscription over HTTP+JSON when only the end is left to send. */
const comesLate =
  (serve: Handler): Handler =>
  (request, reply) =>
    request.path.endsWith(":subscribe")
      ? replaceEvents((data) => (/^\{"(task|artifactUpdate)"/.test(data) ? [] : [data]))(serve)(request, reply)
      : serve(request, reply);

/** Legal behaviour of 0.3 servers over HTTP+JSON and to webhooks (docs/spec/dialects.md §2.3, §3.8, §5). */
export const olderBindingVariants = [
  // JS 0.3 returns 201 for a send or create, 202 for a cancel, and 204 for a delete (A14).
  spec03("rest-statuses", "Success over HTTP+JSON has various status codes.", {
    http: changeAnswers((answer, request) => {
      if (!isRest(request) || answer.status !== 200) return answer;
      if (request.method === "DELETE") return { ...answer, status: 204, body: "" };
      if (request.path.endsWith(":cancel")) return { ...answer, status: 202 };
      return request.method === "POST" ? { ...answer, status: 201 } : answer;
    }),
  }),

  // Python 0.3 follows the proto, which says GET, and answers POST with 405.
  spec03("older-subscribe-by-get", "Subscribing to a task works by GET, not by POST.", {
    http: changeRequests(({ method, path }) =>
      method === "POST" && path.endsWith(":subscribe") ? { method: "PUT" } : {},
    ),
  }),

  // docs/spec/dialects.md §4.4: Go opens the stream first, so it can report the error only as an event.
  spec03("rest-error-events", "A rejected HTTP+JSON stream has the error as its only event.", {
    http: (serve) => (request, reply) =>
      serve(
        request,
        replyWith(reply, {
          send(status, headers, body) {
            if (!/:(stream|subscribe)$/.test(request.path) || status < 400) return reply.send(status, headers, body);
            reply.send(200, { ...headers, "Content-Type": "text/event-stream" }, `data: ${String(body)}\n\n`);
          },
        }),
      ),
  }),

  // AMB-20: SDKs of that time differ in how they handle it, and some reject it outright.
  spec03("no-inline-push-03", "Rejects a message that carries a push configuration.", {
    operations: intercept(["SendMessage", "SendStreamingMessage"], ({ request, proceed }) => {
      if (!request.configuration?.taskPushNotificationConfig) return proceed();
      throw new A2AError("UnsupportedOperation", "Register the configuration once there is a task");
    }),
  }),

  // The format of Python 0.3.
  spec03("rest-message-errors", "Errors over HTTP+JSON are {message}.", {
    http: errorBodies(({ message }) => ({ message: message ?? "" })),
  }),

  // The format of Java.
  spec03("rest-named-errors", "Errors over HTTP+JSON are {error, message}, where the error is a class name.", {
    http: errorBodies(({ message, code }) => ({
      error: code === -32001 ? "TaskNotFoundError" : "InternalError",
      message: message ?? "",
    })),
  }),

  // The format of Python 1.1 compat.
  spec03("rest-new-errors", "Errors over HTTP+JSON have the format of 1.0.", {
    http: errorBodies(({ message }, status) => ({
      error: { code: status, status: status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT", message: message ?? "" },
    })),
  }),

  // The text defines an array, the proto an object.
  spec03("rest-config-array", "Push configurations are listed as a bare array over HTTP+JSON.", {
    codec: overRest(answerOf("ListTaskPushNotificationConfigs", ({ configs }) => configs ?? [])),
  }),

  // JS 1.x compat accepts only the member that the annotation of the proto names as the body.
  spec03("rest-bare-config", "A push configuration over HTTP+JSON is posted without a wrapper object.", {
    http: (serve) => async (request, reply) => {
      const isCreate = request.method === "POST" && request.path.endsWith("/pushNotificationConfigs");
      if (!isCreate || !String(await request.body()).includes('"config"')) return serve(request, reply);
      const body = JSON.stringify({
        code: -32602,
        message: "TaskPushNotificationConfig missing pushNotificationConfig",
      });
      return reply.send(400, { "Content-Type": "application/json" }, body);
    },
  }),

  // dialects.md §2.3: the text of 0.3 can be read as the objects of the JSON schema.
  spec03("rest-reads-schema", "Over HTTP+JSON, messages are read only in the form that they have in JSON-RPC.", {
    http: (serve) => async (request, reply) => {
      const isSend = request.method === "POST" && request.path.includes("/v1/message:");
      if (!isSend || !String(await request.body()).includes('"content"')) return serve(request, reply);
      const error = { code: -32602, message: "message.parts is required" };
      return reply.send(400, { "Content-Type": "application/json" }, JSON.stringify(error));
    },
  }),

  // dialects.md §3.2: 1.0 spells this state with one L, and some older servers do so, too.
  spec03("one-l", "A canceled task is TASK_STATE_CANCELED over HTTP+JSON, as in 1.0.", {
    codec: overRest((json) =>
      eachMember(json, "state", (state) => (state === "TASK_STATE_CANCELLED" ? "TASK_STATE_CANCELED" : state)),
    ),
  }),

  // Python 0.3 and 1.1 compat lose the timestamp (A45).
  spec03("rest-undated", "No status has a timestamp over HTTP+JSON.", {
    codec: overRest((json) =>
      eachMember(json, "status", (status) => (isObject(status) ? without(status as JsonObject, "timestamp") : status)),
    ),
  }),

  // JS 0.3 returns an internal error, because the specification names no error for this case.
  spec03("older-unknown-config", "Returns an internal error for a push configuration that the task does not have.", {
    operations: intercept(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      await ask("GetTask", { id: request.taskId });
      return orElse(proceed(), "TaskNotFound", ({ message }) => {
        throw new A2AError("Internal", message);
      });
    }),
  }),

  // Python notifies once per task. The Go and Rust SDKs name the header of the token without `X-` (AMB-16).
  spec03(
    "older-notifies-once",
    "Webhooks receive only the final event of a task, and the token has a custom header name.",
    {
      push:
        (post: Post): Post =>
        async (url, headers, body, signal) =>
          /"state":"(completed|failed|canceled|rejected)"/.test(body)
            ? post(
                url,
                headers.map(([name, value]) => [name.replace(/^X-A2A-/, "A2A-"), value] as const),
                body,
                signal,
              )
            : { status: 200 },
    },
  ),

  // The guide allows any notification that names the task and its status.
  spec03("older-notifies-events", "Webhooks receive status updates instead of the whole task.", {
    push:
      (post: Post): Post =>
      (url, headers, body, signal) => {
        const { id = "", contextId = "", status = null } = JSON.parse(body) as JsonObject;
        const event = { kind: "status-update", taskId: id, contextId, status, final: false };
        return post(url, headers, JSON.stringify(event), signal);
      },
  }),

  // The specification does not say what happens to configurations when the task ends.
  spec03("older-forgets-configs", "Deletes the push configurations of a task when it ends.", {
    operations: intercept(
      ["GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs"],
      async ({ request, proceed, ask }) => {
        const { status } = await ask("GetTask", { id: request.taskId });
        if (/COMPLETED|FAILED|CANCELED|REJECTED/.test(status.state))
          throw new A2AError("TaskNotFound", "The task has ended", { facts: { taskId: request.taskId } });
        return proceed();
      },
    ),
  }),

  // BIND-005: before 1.0, the specification promised no earlier events to a client that resubscribes.
  spec03("late-listeners-03", "Resubscribing over HTTP+JSON delivers only the final event.", {
    http: comesLate,
  }),
];

import { A2AError, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { variant } from "../definition/divergence.ts";
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

/** The errors of HTTP+JSON, in another form. */
const errorBodies = (change: (error: JsonObject, status: number) => JsonValue) =>
  changeAnswers((answer, request) => {
    if (!isRest(request) || answer.status < 400) return answer;
    const error = JSON.parse(String(answer.body)) as JsonObject;
    return { ...answer, body: JSON.stringify(change(error, answer.status)) };
  });

/** A subscription over HTTP+JSON begins when everything but the end has been sent. */
const comesLate =
  (serve: Handler): Handler =>
  (request, reply) =>
    request.path.endsWith(":subscribe")
      ? replaceEvents((data) => (/^\{"(task|artifactUpdate)"/.test(data) ? [] : [data]))(serve)(request, reply)
      : serve(request, reply);

/** What servers of 0.3 do over HTTP+JSON and to webhooks, and may (docs/spec/dialects.md §2.3, §3.8, §5). */
export const olderBindingVariants = [
  // JS 0.3: 201 for what was made, 202 for what will happen, 204 where there is nothing to say.
  variant("rest-statuses", "spec03", "Success over HTTP+JSON has many numbers.", {
    http: changeAnswers((answer, request) => {
      if (!isRest(request) || answer.status !== 200) return answer;
      if (request.method === "DELETE") return { ...answer, status: 204, body: "" };
      if (request.path.endsWith(":cancel")) return { ...answer, status: 202 };
      return request.method === "POST" ? { ...answer, status: 201 } : answer;
    }),
  }),

  // Python 0.3: the proto says GET, and POST is answered with 405.
  variant("older-subscribe-by-get", "spec03", "One subscribes to a task by GET, and not by POST.", {
    http: changeRequests(({ method, path }) =>
      method === "POST" && path.endsWith(":subscribe") ? { method: "PUT" } : {},
    ),
  }),

  // docs/spec/dialects.md §4.4: Go opens the stream first, and has nothing but an event to tell the error by.
  variant("rest-error-events", "spec03", "A stream that is refused over HTTP+JSON holds the error as its only event.", {
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

  // AMB-20: SDKs of then differ in what they make of it, and some refuse it outright.
  variant("no-inline-push-03", "spec03", "A message that brings a push configuration along is refused.", {
    operations: intercept(["SendMessage", "SendStreamingMessage"], ({ request, proceed }) => {
      if (!request.configuration?.taskPushNotificationConfig) return proceed();
      throw new A2AError("UnsupportedOperation", "Register the configuration once there is a task");
    }),
  }),

  // Python 0.3.
  variant("rest-message-errors", "spec03", "Errors over HTTP+JSON are {message}.", {
    http: errorBodies(({ message }) => ({ message: message ?? "" })),
  }),

  // Java.
  variant("rest-named-errors", "spec03", "Errors over HTTP+JSON are {error, message}, where the error is a class.", {
    http: errorBodies(({ message, code }) => ({
      error: code === -32001 ? "TaskNotFoundError" : "InternalError",
      message: message ?? "",
    })),
  }),

  // Python 1.1 compat.
  variant("rest-new-errors", "spec03", "Errors over HTTP+JSON are those of 1.0.", {
    http: errorBodies(({ message }, status) => ({
      error: { code: status, status: status === 404 ? "NOT_FOUND" : "INVALID_ARGUMENT", message: message ?? "" },
    })),
  }),

  // The text says an array, the proto an object.
  variant("rest-config-array", "spec03", "Push configurations are listed as a bare array over HTTP+JSON.", {
    codec: overRest(answerOf("ListTaskPushNotificationConfigs", ({ configs }) => configs ?? [])),
  }),

  // JS 1.x compat: what the annotation of the proto calls the body, and nothing else.
  variant("rest-bare-config", "spec03", "A push configuration over HTTP+JSON is posted without anything around it.", {
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

  // dialects.md §3.2: 1.0 dropped an L, and some older servers with it.
  variant("one-l", "spec03", "A canceled task is TASK_STATE_CANCELED over HTTP+JSON, as in 1.0.", {
    codec: overRest((json) =>
      eachMember(json, "state", (state) => (state === "TASK_STATE_CANCELLED" ? "TASK_STATE_CANCELED" : state)),
    ),
  }),

  // Python 0.3 and 1.1 compat lose it on the way.
  variant("rest-undated", "spec03", "No status has a timestamp over HTTP+JSON.", {
    codec: overRest((json) =>
      eachMember(json, "status", (status) => (isObject(status) ? without(status as JsonObject, "timestamp") : status)),
    ),
  }),

  // JS 0.3: no error is named for it.
  variant("older-unknown-config", "spec03", "A push configuration that its task does not have is an internal error.", {
    operations: intercept(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      await ask("GetTask", { id: request.taskId });
      return orElse(proceed(), "TaskNotFound", ({ message }) => {
        throw new A2AError("Internal", message);
      });
    }),
  }),

  // Python: once for each task, and of 0.1's two headers the one that is left.
  variant(
    "older-notifies-once",
    "spec03",
    "Webhooks hear only how a task ended, and the token has a name of its own.",
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

  // The guide: anything that says which task it is about, and how it fares.
  variant("older-notifies-events", "spec03", "Webhooks are told that the status has changed, not the whole task.", {
    push:
      (post: Post): Post =>
      (url, headers, body, signal) => {
        const { id = "", contextId = "", status = null } = JSON.parse(body) as JsonObject;
        const event = { kind: "status-update", taskId: id, contextId, status, final: false };
        return post(url, headers, JSON.stringify(event), signal);
      },
  }),

  // What becomes of configurations when the task has ended is open.
  variant("older-forgets-configs", "spec03", "Push configurations of a task that has ended are gone.", {
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

  // BIND-005: before 1.0 nothing promised a client that resubscribes what had happened before.
  variant("late-listeners-03", "spec03", "Those who resubscribe over HTTP+JSON hear of nothing but the end.", {
    http: comesLate,
  }),
];

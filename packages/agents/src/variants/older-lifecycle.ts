import {
  A2AError,
  isObject,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from "@assay/protocol";
import { type Divergence, spec02, spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeStreamText } from "../mutation/bytes.ts";
import { onFirstCall } from "../mutation/first-call.ts";
import { changeAnswers, replyWith } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, events, inJson, recoded, without } from "../mutation/json.ts";
import { changeStream, instead, intercept, keepEvents, refuseAs, together } from "../mutation/operations.ts";
import { demandsTag } from "../mutation/part-tags.ts";
import { RecentMap } from "../mutation/recent.ts";
import { forPosts, postedText, sendRpcError } from "../mutation/requests.ts";

/**
 * JSON-RPC of 0.2 and 0.3 as real servers write it (docs/spec/real-world.md, numbers A1 to A46). Some of it is
 * allowed, some deviates from the specification. None of it is a reason to fail an agent.
 */

const sends = ["SendMessage", "SendStreamingMessage"] as const;

/** Sends the error of a rejected stream as its only event. */
const errorsAsEvents = (name: string) =>
  forPosts(
    (body) => /"method"\s*:\s*"(message\/stream|tasks\/resubscribe)"/.test(body),
    changeAnswers(({ headers, body }) => ({
      status: 200,
      headers: { ...headers, "Content-Type": "text/event-stream" },
      body: `${name}data: ${String(body)}\n\n`,
    })),
  );

/** Maps the id of a restarted task to its replacement. */
function beginsAnew(renewed: RecentMap<string>): NonNullable<Layers["operations"]> {
  const sending = instead(["SendMessage"], "UnsupportedOperation", async (_error, { request, proceed, ask }) => {
    const { taskId, ...message } = request.message;
    const { contextId } = await ask("GetTask", { id: taskId! });
    const { answer } = await proceed({ ...request, message: { ...message, ...(contextId && { contextId }) } });
    const { task } = answer as SendMessageResponse;
    if (!task) return { answer };
    renewed.set(taskId!, task.id);
    return { answer: { task: renamed(task, task.id, taskId!) } };
  });
  const asking = intercept(["GetTask", "CancelTask"], async ({ request, proceed }) => {
    const id = renewed.get(request.id);
    if (id === undefined) return proceed();
    const { answer } = await proceed({ ...request, id });
    return { answer: renamed(answer as Task, id, request.id) };
  });
  return together(sending, asking);
}

/** Replaces the id everywhere in a task. */
const renamed = (task: Task, from: string, to: string): Task => JSON.parse(JSON.stringify(task).replaceAll(from, to));

/** Changes complete JSON-RPC responses. */
const answers = (
  change: (answer: JsonObject, error: JsonObject | undefined) => { status?: number; body?: JsonValue },
) =>
  changeAnswers((answer, { method }) => {
    const body = method === "POST" && answer.body.length ? parsed(String(answer.body)) : undefined;
    if (body?.["jsonrpc"] === undefined) return answer;
    const changed = change(body, body["error"] as JsonObject | undefined);
    return {
      ...answer,
      ...(changed.status !== undefined && { status: changed.status }),
      ...(changed.body !== undefined && { body: JSON.stringify(changed.body) }),
    };
  });

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Rejects messages to an ended task with another error. */
const refusing = (kind: "InvalidParams" | "InvalidRequest" | "Internal") =>
  instead(sends, "UnsupportedOperation", () => {
    throw new A2AError(kind, "The task is in a terminal state");
  });

/** Changes the history of tasks. */
const histories = (change: (task: JsonObject) => JsonObject): Pick<Layers, "codec"> => ({
  codec: inJson((document) =>
    eachObject(document, (object) => (Array.isArray(object["history"]) ? change(object) : object)),
  ),
});

async function* only(event: StreamResponse): AsyncGenerator<StreamResponse> {
  yield event;
}

export const olderLifecycleVariants: readonly Divergence[] = [
  // A2, A4: sse-starlette.
  spec03("crlf-03", "Lines of its event streams end with CR and LF, and the streams declare their charset.", {
    http: (serve) => (request, reply) =>
      changeStreamText((piece) => piece.replaceAll("\n", "\r\n"))((asked, answer) =>
        serve(
          asked,
          replyWith(answer, {
            events: (headers) => answer.events({ ...headers, "Content-Type": "text/event-stream; charset=utf-8" }),
          }),
        ),
      )(request, reply),
  }),

  // A4: JS 0.2.5 uses the time as the id of its events. Each event may span several lines (A3).
  spec02("numbered-events-02", "Its events have repeating ids.", {
    http: changeStreamText((piece) => piece.replaceAll(/(?<![^\n])data: /g, "id: 1794728545837\ndata: ")),
  }),

  // A5: JS 0.3.14.
  spec03("error-events-03", "A rejected stream has one event, named error.", {
    http: errorsAsEvents("event: error\n"),
  }),

  // A5: Python 0.2 and 0.3.
  spec03("plain-error-events-03", "A rejected stream has the error as its only event.", {
    http: errorsAsEvents(""),
  }),

  // A6: the compat layers of both SDKs.
  spec03("final-at-the-end-03", "Only the status that ends a task is final, not one that waits.", {
    codec: events((event) => {
      const state = (event["status"] as JsonObject | undefined)?.["state"];
      return event["final"] === true && state === "input-required" ? { ...event, final: false } : event;
    }),
  }),

  // dialects.md §4.3: .NET.
  spec03("nothing-final-03", "No event is final. Its streams just close.", {
    codec: inJson((document) => eachMember(document, "final", () => false)),
  }),

  // dialects.md §4.3: agentbin.
  spec03("no-final-03", "Its events have no final member. Its streams just close.", {
    codec: inJson((document) => eachObject(document, (object) => without(object, "final"))),
  }),

  // A7: JS 0.2.5 and 0.3.14, if the agent fails at once.
  spec03("no-opening-task-03", "Its streams start with an update instead of the task.", {
    operations: changeStream(["SendStreamingMessage"], async function* (told) {
      for await (const { task, ...event } of told) {
        if (!task) yield event;
        // A follow-up finds the task waiting for input. An update with that state would be final, so omit it.
        else if (task.status.state !== "TASK_STATE_INPUT_REQUIRED")
          yield { statusUpdate: { taskId: task.id, contextId: task.contextId ?? "", status: task.status } };
      }
    }),
  }),

  // A9: Python 0.2 and 0.3; JS 0.2.5 and 0.3.14; Python's compat layer.
  spec03("ended-is-invalid-03", "Returns invalid params for a message to an ended task.", {
    operations: refusing("InvalidParams"),
  }),
  spec03("ended-is-no-request-03", "Returns invalid request for a message to an ended task.", {
    operations: refusing("InvalidRequest"),
  }),
  spec03("ended-is-internal-03", "Returns an internal error for a message to an ended task.", {
    operations: refusing("Internal"),
  }),

  // A10: JS does the first, Python the second.
  spec03("ended-shows-itself-03", "Resubscribing to an ended task returns the task and closes the stream.", {
    operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      return isTerminal(task.status.state) ? { events: only({ task }) } : proceed();
    }),
  }),
  spec03("ended-cannot-be-watched-03", "Returns invalid params for resubscribing to an ended task.", {
    operations: refuseAs(
      ["SubscribeToTask"],
      "UnsupportedOperation",
      "InvalidParams",
      "The task is in a terminal state",
    ),
  }),

  // §7.9: a server need not send missed events.
  spec03("no-backfill-03", "Resubscribing delivers only later events.", {
    operations: keepEvents(["SubscribeToTask"], (event) => !event.task),
  }),

  // §11.1.3: tasks/resubscribe is optional.
  spec03("no-resubscribe-03", "Supports streaming but not tasks/resubscribe.", {
    operations: intercept(["SubscribeToTask"], async ({ request, ask }) => {
      await ask("GetTask", { id: request.id });
      throw new A2AError("UnsupportedOperation", "This agent cannot resume streams");
    }),
  }),

  // A12: JS 0.2.5 and 0.3.14.
  spec03("empty-history-03", "Its tasks have an empty history.", {
    ...histories((task) => ({ ...task, history: [] })),
  }),
  spec03("no-history-03", "Its tasks never show their history.", {
    ...histories((task) => without(task, "history")),
  }),

  // Python before 0.3.10 and JS ignore historyLength in a send.
  spec03("whole-history-03", "Returns the whole history in the response to a send, whatever historyLength says.", {
    operations: intercept(["SendMessage"], async ({ request, proceed }) => {
      const { historyLength: _ignored, ...configuration } = request.configuration ?? {};
      return proceed({ ...request, configuration });
    }),
  }),

  // A31, A45: timestamps vary over JSON-RPC. Over HTTP+JSON, these servers send none.
  spec03("offset-times-03", "Its timestamps have six decimal places and an offset.", {
    codec: inJson((document, { binding }) =>
      binding === "JSONRPC"
        ? eachMember(document, "timestamp", (time) => String(time).replace(/\.(\d{3})Z$/, ".$1000+00:00"))
        : document,
    ),
  }),
  spec03("zoneless-times-03", "Its timestamps have no time zone.", {
    codec: inJson((document, { binding }) =>
      binding === "JSONRPC" ? eachMember(document, "timestamp", (time) => String(time).replace(/Z$/, "")) : document,
    ),
  }),

  // dialects.md §5.1: Python 0.2 and 0.3 omit members that are null.
  spec03("dropped-ids-03", "Errors omit the id where it could not be read, instead of null.", {
    http: answers((body) => (body["id"] === null ? { body: without(body, "id") } : {})),
  }),
  spec03("silent-deletion-03", "Confirms a deletion with neither result nor error.", {
    http: answers((body) => (body["result"] === null ? { body: without(body, "result") } : {})),
  }),

  // dialects.md §5.1: the HTTP status may be any, if the body is an error.
  spec03("http-errors-03", "Its JSON-RPC errors have HTTP status 400.", {
    http: answers((_body, error) => (error ? { status: 400 } : {})),
  }),

  // Python 0.2.16 and the compat layer of 1.1.
  spec03("params-are-the-request-03", "Returns invalid request for wrong parameters.", {
    codec: recoded(-32602, -32600),
  }),

  // A44: Python 0.3.26.
  spec03(
    "stream-off-is-internal-03",
    "Does not declare streaming, and returns an internal error for unsupported operations.",
    { codec: recoded(-32004, -32603) },
    { streaming: false },
  ),

  // dialects.md §5.2: Python 0.3.
  spec03(
    "push-off-is-internal-03",
    "Does not declare push notifications, and returns an internal error for them.",
    { codec: recoded(-32003, -32603) },
    { push: false },
  ),

  // A single failure that is reported correctly does not break the protocol.
  ...(["spec03", "spec02"] as const).map((base) => ({
    id: `stumbles-${base.slice(-2)}`,
    base,
    does: "The first tasks/cancel over JSON-RPC returns an internal error.",
    differs: () => ({
      layers: {
        http: onFirstCall("tasks/cancel", (id, reply) => {
          const error = { code: -32603, message: "The store is being restarted" };
          sendRpcError(reply, id, error);
        }),
      },
    }),
  })),

  // VoltAgent 2: before 0.2.4 no text forbids restarting a task, and its card does not name its release.
  spec02(
    "begins-anew-02",
    "Restarts an ended task under its id when a message names it. The card has no version.",
    () => ({ card: (card) => without(card, "protocolVersion"), operations: beginsAnew(new RecentMap<string>()) }),
  ),

  // Python 0.2.16 validates the method name together with the rest of the request.
  spec02("method-is-the-request-02", "Returns invalid request for an unknown method.", {
    codec: recoded(-32601, -32600),
  }),

  // JS 0.2.5: its web framework rejects the body first.
  spec02("page-for-no-json-02", "Returns a web server's error page for a request that is not JSON.", {
    http: (serve) => async (request, reply) => {
      // A body that is too long is rejected elsewhere.
      const body = request.method === "POST" ? String(await request.body().catch(() => "{}")) : "{}";
      if (isJson(body)) return serve(request, reply);
      reply.send(400, { "Content-Type": "text/html" }, "<!DOCTYPE html><pre>SyntaxError</pre>\n");
    },
  }),

  // Generated models of that time check the tag of a part before anything else.
  spec03("strict-parts-03", "Accepts only parts with kind, and none with type.", {
    http: demandsTag("kind"),
  }),

  spec02("strict-parts-02", "Accepts only parts with kind, and none with type or neither.", {
    http: demandsTag("kind"),
  }),

  // A40: JS 0.2.5.
  spec02("cancels-later-02", "CancelTask returns the task while it is still working.", {
    codec: answerOf("CancelTask", (task) => ({
      ...task,
      status: { ...(task["status"] as JsonObject), state: "working" },
    })),
  }),

  // A41: Python 0.2.16.
  spec02("always-waits-02", "Answers when the work is done, although the client asked not to wait.", {
    operations: intercept(["SendMessage"], ({ request, proceed }) =>
      proceed({ ...request, configuration: { ...request.configuration, returnImmediately: false } }),
    ),
  }),

  // A29: Python 0.2 and 0.3 ignore `jsonrpc`.
  spec02("any-jsonrpc-02", "Accepts requests of any JSON-RPC version.", {
    http: (serve) => async (request, reply) => {
      const call = parsed(await postedText(request));
      if (call?.["method"] !== "tasks/get" || call["jsonrpc"] === "2.0") return serve(request, reply);
      const error = { code: -32001, message: "Task not found" };
      sendRpcError(reply, call["id"], error);
    },
  }),
];

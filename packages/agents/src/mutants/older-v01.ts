import {
  A2AError,
  type JsonObject,
  type JsonValue,
  type StreamResponse,
  type Task,
  testbedHeader,
} from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, secure, spec01 } from "../definition/divergence.ts";
import { replaceEvents } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, edited, events, without } from "../mutation/json.ts";
import { changeParams, instead, intercept, together } from "../mutation/operations.ts";
import { demandsTag } from "../mutation/part-tags.ts";
import { RecentMap, RecentSet } from "../mutation/recent.ts";
import { crashesOn } from "../mutation/requests.ts";

/** Rules that only 0.1 has, each broken by an agent of that version. */

type Codec = (json: JsonValue, written: Parameters<ReturnType<typeof answerOf>>[1]) => JsonValue;

const inTurn =
  (...codecs: readonly Codec[]): Codec =>
  (json, written) =>
    codecs.reduce((changed, codec) => codec(changed, written), json);

const withoutHistory: Codec = inTurn(
  answerOf("SendMessage", (task) => without(task, "history")),
  answerOf("GetTask", (task) => without(task, "history")),
);

const statusOf = (json: JsonObject): JsonObject => json["status"] as JsonObject;

/** Serves a method only under `/subscribe`. */
export const servedBelow =
  (method: string, refuse: (id: JsonValue) => Parameters<Parameters<Handler>[1]["send"]>) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    if (request.method !== "POST" || request.path.endsWith("/subscribe")) return serve(request, reply);
    const text = String(await request.body().catch(() => ""));
    if (!text.includes(`"${method}"`)) return serve(request, reply);
    reply.send(...refuse((JSON.parse(text) as JsonObject)["id"] ?? null));
  };

/** Adds a part to artifacts that is labelled as JSON. */
export const labelledJson =
  (text: string): Codec =>
  (json, { is }) => {
    const label = (artifact: JsonObject): JsonObject => ({
      ...artifact,
      parts: [
        ...(artifact["parts"] as JsonObject[]),
        { type: "text", text, metadata: { mimeType: "application/json" } },
      ],
    });
    if (is === "answer") return eachMember(json, "artifacts", (all) => (all as JsonObject[]).map(label));
    const isLast =
      is === "event" && ((json as JsonObject)["artifact"] as JsonObject | undefined)?.["lastChunk"] === true;
    return isLast ? eachMember(json, "artifact", (artifact) => label(artifact as JsonObject)) : json;
  };

const smallCard = {
  name: "Spec Agent 0.1",
  version: "1",
  capabilities: {},
  skills: [{ id: "task-lifecycle", name: "Task", inputModes: ["text/plain"], outputModes: ["text/plain"] }],
};

const put = (path: string, value: JsonValue | undefined) => (card: JsonObject) => edited(card, path, value);

const isCard = (path: string): boolean => path.endsWith("/.well-known/agent.json");

export const v01Mutants: readonly Divergence[] = [
  spec01("V01-CARD-001.map", "The card has an object as its authentication schemes instead of an array.", {
    card: (card) => ({ ...card, authentication: { schemes: { Bearer: true } } }),
  }),

  spec01("V01-CARD-002.no-modes", "No skill on the card has inputModes.", {
    card: (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((skill) => without(without(skill, "inputModes"), "outputModes")),
    }),
  }),

  secure("V01-CARD-003.no-header", "The card names apiKey without the header for the key.", {
    // Only 0.1 has this member; in other versions the card is that of the base.
    card: (card) => ("authentication" in card ? edited(card, "authentication.credentials", undefined) : card),
  }),

  secure("V01-AUTH-001.hidden", "The card requires authentication.", {
    http: (serve) => (request, reply) => {
      if (!isCard(request.path) || request.headers.authorization) return serve(request, reply);
      reply.send(401, { "Content-Type": "text/plain", "WWW-Authenticate": "Bearer" }, "Unauthorized");
    },
  }),

  spec01("V01-SEND-002.unknown", "The method tasks/send returns a task in the state unknown.", {
    codec: answerOf("SendMessage", (task) => edited(task, "status.state", "unknown")),
  }),

  spec01("V01-SEND-003.own-id", "The agent uses its own id for a task.", {
    codec: answerOf("SendMessage", (task) => ({ ...task, id: `task of ${task["id"]}` })),
  }),

  spec01("V01-SEND-004.own-session", "The agent replaces the sessionId of the client.", {
    codec: answerOf("SendMessage", (task) => ({ ...task, sessionId: `session of ${task["id"]}` })),
  }),

  spec01("V01-SEND-005.breaks-down", "A message to an ended task gets an internal error.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const known = await ask("GetTask", { id: request.message.taskId ?? "" }).catch(() => undefined);
      if (known?.status.state === "TASK_STATE_COMPLETED") throw new Error("duplicate key");
      return proceed();
    }),
  }),

  spec01("V01-CANCEL-001.anything", "The method tasks/cancel cancels a completed task.", {
    operations: instead(["CancelTask"], "TaskNotCancelable", async (_error, { request, ask }) => ({
      answer: { ...(await ask("GetTask", { id: request.id })), status: { state: "TASK_STATE_CANCELED" } },
    })),
  }),

  spec01("V01-DATA-001.text-index", "The index of an artifact is a string.", {
    codec: (json, { is }) => (is === "answer" ? eachMember(json, "index", (index) => String(index)) : json),
  }),

  spec01("SEND-001.wants-kind", "Accepts parts with kind, as later versions do, and rejects parts with type.", {
    http: demandsTag("kind", "type"),
  }),

  spec01("V01-DATA-002.kind", "Parts have kind, as later versions do.", {
    codec: (json, { is }) =>
      is === "error"
        ? json
        : eachObject(json, ({ type, ...rest }) =>
            type === "text" ? { kind: "text", ...rest } : { ...(type && { type }), ...rest },
          ),
  }),

  spec01("V01-LIFE-001.upper-case", "States are in upper case.", {
    codec: (json) => eachMember(json, "state", (state) => String(state).toUpperCase()),
  }),

  spec01("V01-DATA-003.breaks-down", "A file part with bytes gets an internal error.", {
    http: crashesOn((body) => body.includes('"bytes"')),
  }),

  spec01("V01-DATA-004.breaks-down", "A file part with uri gets an internal error.", {
    http: crashesOn((body) => body.includes('"uri"')),
  }),

  spec01("V01-DATA-005.breaks-down", "A data part gets an internal error.", {
    http: crashesOn((body) => body.includes('"type":"data"')),
  }),

  spec01("V01-DATA-006.no-json", "A response with the Content-Type application/json is not JSON.", {
    codec: labelledJson("one, two"),
  }),

  spec01("V01-HIST-001.never", "The method tasks/get never returns history.", { codec: withoutHistory }),

  spec01("V01-HIST-002.newest-first", "The history starts with the newest message.", {
    codec: answerOf("GetTask", (task) =>
      Array.isArray(task["history"]) ? { ...task, history: task["history"].toReversed() } : task,
    ),
  }),

  spec01("V01-HIST-003.unread", "The method tasks/send ignores historyLength.", {
    operations: changeParams(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, historyLength: 100 },
    })),
  }),

  spec01("V01-HIST-004.claims-it", "The card declares stateTransitionHistory, but no task has history.", {
    codec: withoutHistory,
  }),

  spec01("V01-ERR-001.empty-task", "The method tasks/get returns a task for an unknown id.", {
    operations: instead(["GetTask"], "TaskNotFound", (_error, { request }) => ({
      answer: { id: request.id, contextId: "none", status: { state: "TASK_STATE_SUBMITTED" } } satisfies Task,
    })),
  }),

  spec01("V01-ERR-001.cancels-all", "Cancels tasks that do not exist.", {
    operations: instead(["CancelTask"], "TaskNotFound", (_error, { request }) => ({
      answer: { id: request.id, contextId: "none", status: { state: "TASK_STATE_CANCELED" } } satisfies Task,
    })),
  }),

  spec01("V01-STREAM-001.too-early", "Every event of a stream is final.", {
    codec: events((event) => ("status" in event ? { ...event, final: true } : event)),
  }),

  spec01("V01-STREAM-002.artifacts-first", "The stream starts with an artifact instead of a status.", {
    http: replaceEvents((data) => (/"final":false/.test(data) ? [] : [data])),
  }),

  spec01("V01-STREAM-003.once-more", "The stream repeats its final event.", {
    http: replaceEvents((data) => (/"final":true/.test(data) ? [data, data] : [data])),
  }),

  spec01("V01-STREAM-004.other-name", "Stream events have taskStatus instead of status.", {
    codec: events((event) =>
      event["final"] === false ? { id: event["id"]!, taskStatus: statusOf(event), final: false } : event,
    ),
  }),

  spec01("V01-STREAM-005.one-id", "The events of all streams have the same id.", {
    codec: events((event) => ({ ...event, id: "stream" })),
  }),

  spec01("V01-STREAM-006.on-the-event", "The members append and lastChunk are on the event instead of the artifact.", {
    codec: events((event) => {
      if (!("artifact" in event)) return event;
      const { append, lastChunk, ...artifact } = event["artifact"] as JsonObject;
      return { ...event, artifact, append: append ?? false, lastChunk: lastChunk ?? false };
    }),
  }),

  spec01("V01-STREAM-007.always-appends", "The first chunk of an artifact has append: true.", {
    codec: events((event) => ("artifact" in event ? edited(event, "artifact.append", true) : event)),
  }),

  spec01("V01-STREAM-008.loses-it", "Loses a task some time after its client closes the stream.", () => {
    const reads = new RecentMap<number>();
    const leaving = intercept(["SendStreamingMessage"], ({ request, invocation, proceed }) => {
      invocation.client.signal.addEventListener("abort", () => reads.set(request.message.taskId ?? "", 0));
      return proceed();
    });
    const losing = intercept(["GetTask"], async ({ request, proceed }) => {
      const read = reads.get(request.id);
      if (read !== undefined) reads.set(request.id, read + 1);
      if (read !== undefined && read >= 2) throw new A2AError("TaskNotFound", "There is no such task");
      return proceed();
    });
    return { operations: together(leaving, losing) };
  }),

  spec01("V01-STREAM-008.forgets", "The agent forgets a task when the client of its stream disconnects.", () => {
    const forgotten = new RecentSet();
    const leaving = intercept(["SendStreamingMessage"], ({ request, invocation, proceed }) => {
      invocation.client.signal.addEventListener("abort", () => forgotten.add(request.message.taskId ?? ""));
      return proceed();
    });
    const forgetting = intercept(["GetTask"], async ({ request, proceed }) => {
      if (forgotten.has(request.id)) throw new A2AError("TaskNotFound", "There is no such task");
      return proceed();
    });
    return { operations: together(leaving, forgetting) };
  }),

  spec01(
    "V01-STREAM-009.streams-anyway",
    "The method tasks/sendSubscribe works although the card does not declare streaming.",
    {
      card: (card) => edited(card, "capabilities.streaming", false),
    },
  ),

  spec01("V01-STREAM-010.below", "The agent serves tasks/sendSubscribe only at the path /subscribe.", {
    http: servedBelow("tasks/sendSubscribe", (id) => [
      200,
      { "Content-Type": "application/json" },
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }),
    ]),
  }),

  spec01("V01-SUB-001.not-implemented", "The method tasks/resubscribe returns an error.", {
    operations: intercept(["SubscribeToTask"], () => {
      throw new A2AError("UnsupportedOperation", "Not implemented");
    }),
  }),

  spec01("V01-SUB-002.opens-anyway", "The method tasks/resubscribe to an unknown task opens a stream.", {
    operations: instead(["SubscribeToTask"], "TaskNotFound", (_error, { request }) => ({
      events: working(request.id),
    })),
  }),

  spec01("V01-PUSH-001.bare", "The method tasks/pushNotification/set returns the configuration without the task id.", {
    codec: answerOf("CreateTaskPushNotificationConfig", (config) => config["pushNotificationConfig"]!),
  }),

  spec01("V01-PUSH-002.other-url", "The method tasks/pushNotification/get returns another url.", {
    codec: answerOf("GetTaskPushNotificationConfig", (config) =>
      edited(config, "pushNotificationConfig.url", "https://example.com/"),
    ),
  }),

  spec01("V01-PUSH-002.gone", "Reading a push configuration does not find a configuration that was set.", {
    operations: intercept(["GetTaskPushNotificationConfig"], () => {
      throw new A2AError("TaskNotFound", "There is none");
    }),
  }),

  spec01("V01-PUSH-003.silent", "The agent accepts push configurations and never calls a webhook.", {
    push: () => async () => ({ status: 200 }),
  }),

  spec01("V01-PUSH-004.no-token", "Notifications lack the token of the configuration.", {
    push: (post) => (url, headers, body, signal) =>
      post(
        url,
        headers.filter(([name]) => !/token/i.test(name)),
        body,
        signal,
      ),
  }),

  spec01("V01-PUSH-005.no-news", "The agent sends notifications whose body is only {}.", {
    push: (post) => (url, headers, _body, signal) => post(url, headers, "{}", signal),
  }),

  spec01("V01-PUSH-006.unread", "The method tasks/send ignores pushNotification.", {
    operations: changeParams(["SendMessage"], ({ configuration = {}, ...request }) => {
      const { taskPushNotificationConfig: _unread, ...rest } = configuration;
      return { ...request, configuration: rest };
    }),
  }),

  spec01("V01-PUSH-007.any-task", "The method tasks/pushNotification/set accepts an unknown task.", {
    operations: instead(["CreateTaskPushNotificationConfig"], "TaskNotFound", (_error, { request }) => ({
      answer: request,
    })),
  }),

  spec01(
    "V01-PUSH-008.takes-them-anyway",
    "The method tasks/pushNotification/set works although the card does not declare push.",
    {
      card: (card) => edited(card, "capabilities.pushNotifications", false),
    },
  ),

  // Rules that later versions have too, but whose mutants do not break them in 0.1.

  spec01("CARD-004.number-01", "The card has a number as its description.", { card: put("description", 7) }),

  spec01("CARD-009.one-word-01", "The card has a string as its output modes.", {
    card: put("defaultOutputModes", "text/plain"),
  }),

  spec01("CARD-014.bare-path-01", "The card's url has no host.", {
    card: (card) => ({ ...card, url: "/spec01", authentication: { schemes: [] } }),
  }),

  spec01("CARD-021.no-name-01", "A skill on the card has no name.", { card: put("skills.0.name", undefined) }),

  spec01("CARD-022.one-word-01", "A skill on the card has a string as its tags.", {
    card: put("skills.0.tags", "text"),
  }),

  spec01("CARD-024.no-organization-01", "The card's provider has no organization.", {
    card: put("provider.organization", undefined),
  }),

  spec01("V03-CARD-001.no-url-01", "Its card has no url.", {
    card: (card) => ({ ...without(card, "url"), authentication: { schemes: [] } }),
  }),

  spec01("CTX-013.unheard-01", "Answers the reply to its question with the question.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const known = await ask("GetTask", { id: request.message.taskId ?? "" }).catch(() => undefined);
      return known?.status.state === "TASK_STATE_INPUT_REQUIRED" ? { answer: { task: known } } : proceed();
    }),
  }),

  spec01("V02-CARD-001.new-name-only-01", "The card is not at the path where 0.1 clients look for it.", {
    http: (serve) => (request, reply) => {
      if (isCard(request.path)) return reply.send(404, { "Content-Type": "text/plain" }, "Not Found");
      if (!request.path.endsWith("/.well-known/agent-card.json")) return serve(request, reply);
      const url = `http://${request.host}${request.path.replace("/.well-known/agent-card.json", "")}`;
      const headers = { "Content-Type": "application/json", [testbedHeader]: "1" };
      reply.send(200, headers, JSON.stringify({ ...smallCard, url }));
    },
  }),
];

async function* working(id: string): AsyncGenerator<StreamResponse, void> {
  yield { task: { id, contextId: "none", status: { state: "TASK_STATE_WORKING" } } };
}

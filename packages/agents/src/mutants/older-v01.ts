import {
  A2AError,
  type JsonObject,
  type JsonValue,
  type StreamResponse,
  type Task,
  testbedHeader,
} from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, mutant } from "../definition/divergence.ts";
import { replaceEvents } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, edited, events, without } from "../mutation/json.ts";
import { changeParams, intercept, orElse } from "../mutation/operations.ts";
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

/** A method is served under `/subscribe` alone. */
export const servedBelow =
  (method: string, refuse: (id: JsonValue) => Parameters<Parameters<Handler>[1]["send"]>) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    if (request.method !== "POST" || request.path.endsWith("/subscribe")) return serve(request, reply);
    const text = String(await request.body().catch(() => ""));
    if (!text.includes(`"${method}"`)) return serve(request, reply);
    reply.send(...refuse((JSON.parse(text) as JsonObject)["id"] ?? null));
  };

/** Artifacts end with a part that is said to be JSON. */
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
  mutant("V01-CARD-001.map", "spec01", "The authentication schemes on the card are an object instead of a list.", {
    card: (card) => ({ ...card, authentication: { schemes: { Bearer: true } } }),
  }),

  mutant("V01-CARD-002.no-modes", "spec01", "No skill on the card has inputModes.", {
    card: (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((skill) => without(without(skill, "inputModes"), "outputModes")),
    }),
  }),

  mutant("V01-CARD-003.no-header", "secure", "The card names apiKey without the header of the key.", {
    // Only 0.1 has such a place: in the version that its base speaks, the card is that of the base.
    card: (card) => ("authentication" in card ? edited(card, "authentication.credentials", undefined) : card),
  }),

  mutant("V01-AUTH-001.hidden", "secure", "The card needs a login.", {
    http: (serve) => (request, reply) => {
      if (!isCard(request.path) || request.headers.authorization) return serve(request, reply);
      reply.send(401, { "Content-Type": "text/plain", "WWW-Authenticate": "Bearer" }, "Unauthorized");
    },
  }),

  mutant("V01-SEND-002.unknown", "spec01", "The method tasks/send returns a task in state unknown.", {
    codec: answerOf("SendMessage", (task) => edited(task, "status.state", "unknown")),
  }),

  mutant("V01-SEND-003.own-id", "spec01", "The agent gives a task an id of its own.", {
    codec: answerOf("SendMessage", (task) => ({ ...task, id: `task of ${task["id"]}` })),
  }),

  mutant("V01-SEND-004.own-session", "spec01", "The agent replaces the sessionId of the client.", {
    codec: answerOf("SendMessage", (task) => ({ ...task, sessionId: `session of ${task["id"]}` })),
  }),

  mutant("V01-SEND-005.breaks-down", "spec01", "A message to an ended task gets an internal error.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const known = await ask("GetTask", { id: request.message.taskId ?? "" }).catch(() => undefined);
      if (known?.status.state === "TASK_STATE_COMPLETED") throw new Error("duplicate key");
      return proceed();
    }),
  }),

  mutant("V01-CANCEL-001.anything", "spec01", "The method tasks/cancel cancels a completed task.", {
    operations: intercept(["CancelTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotCancelable", async () => ({
        answer: { ...(await ask("GetTask", { id: request.id })), status: { state: "TASK_STATE_CANCELED" } },
      })),
    ),
  }),

  mutant("V01-DATA-001.text-index", "spec01", "The index of an artifact is a string.", {
    codec: (json, { is }) => (is === "answer" ? eachMember(json, "index", (index) => String(index)) : json),
  }),

  mutant(
    "SEND-001.wants-kind",
    "spec01",
    "Reads parts that have kind, as later versions do, and refuses those with type.",
    {
      http: demandsTag("kind", "type"),
    },
  ),

  mutant("V01-DATA-002.kind", "spec01", "Parts have kind, as later versions do.", {
    codec: (json, { is }) =>
      is === "error"
        ? json
        : eachObject(json, ({ type, ...rest }) =>
            type === "text" ? { kind: "text", ...rest } : { ...(type && { type }), ...rest },
          ),
  }),

  mutant("V01-LIFE-001.upper-case", "spec01", "States are in upper case.", {
    codec: (json) => eachMember(json, "state", (state) => String(state).toUpperCase()),
  }),

  mutant("V01-DATA-003.breaks-down", "spec01", "A file part with bytes gets an internal error.", {
    http: crashesOn((body) => body.includes('"bytes"')),
  }),

  mutant("V01-DATA-004.breaks-down", "spec01", "A file part with uri gets an internal error.", {
    http: crashesOn((body) => body.includes('"uri"')),
  }),

  mutant("V01-DATA-005.breaks-down", "spec01", "A data part gets an internal error.", {
    http: crashesOn((body) => body.includes('"type":"data"')),
  }),

  mutant("V01-DATA-006.no-json", "spec01", "A response with the Content-Type application/json is not JSON.", {
    codec: labelledJson("one, two"),
  }),

  mutant("V01-HIST-001.never", "spec01", "The method tasks/get never returns history.", { codec: withoutHistory }),

  mutant("V01-HIST-002.newest-first", "spec01", "The history starts with the newest message.", {
    codec: answerOf("GetTask", (task) =>
      Array.isArray(task["history"]) ? { ...task, history: task["history"].toReversed() } : task,
    ),
  }),

  mutant("V01-HIST-003.unread", "spec01", "The method tasks/send ignores historyLength.", {
    operations: changeParams(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, historyLength: 100 },
    })),
  }),

  mutant("V01-HIST-004.claims-it", "spec01", "The card declares stateTransitionHistory, and no task has history.", {
    codec: withoutHistory,
  }),

  mutant("V01-ERR-001.empty-task", "spec01", "The method tasks/get returns a task for an unknown id.", {
    operations: intercept(["GetTask"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({
        answer: { id: request.id, contextId: "none", status: { state: "TASK_STATE_SUBMITTED" } } satisfies Task,
      })),
    ),
  }),

  mutant("V01-ERR-001.cancels-all", "spec01", "Cancels tasks that do not exist.", {
    operations: intercept(["CancelTask"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({
        answer: { id: request.id, contextId: "none", status: { state: "TASK_STATE_CANCELED" } } satisfies Task,
      })),
    ),
  }),

  mutant("V01-STREAM-001.too-early", "spec01", "Calls every event of a stream the final one.", {
    codec: events((event) => ("status" in event ? { ...event, final: true } : event)),
  }),

  mutant("V01-STREAM-002.artifacts-first", "spec01", "The stream starts with an artifact instead of a status.", {
    http: replaceEvents((data) => (/"final":false/.test(data) ? [] : [data])),
  }),

  mutant("V01-STREAM-003.once-more", "spec01", "The stream repeats its final event.", {
    http: replaceEvents((data) => (/"final":true/.test(data) ? [data, data] : [data])),
  }),

  mutant("V01-STREAM-004.other-name", "spec01", "Stream events have taskStatus instead of status.", {
    codec: events((event) =>
      event["final"] === false ? { id: event["id"]!, taskStatus: statusOf(event), final: false } : event,
    ),
  }),

  mutant("V01-STREAM-005.one-id", "spec01", "The events of all streams have the same id.", {
    codec: events((event) => ({ ...event, id: "stream" })),
  }),

  mutant(
    "V01-STREAM-006.on-the-event",
    "spec01",
    "The members append and lastChunk are on the event instead of the artifact.",
    {
      codec: events((event) => {
        if (!("artifact" in event)) return event;
        const { append, lastChunk, ...artifact } = event["artifact"] as JsonObject;
        return { ...event, artifact, append: append ?? false, lastChunk: lastChunk ?? false };
      }),
    },
  ),

  mutant("V01-STREAM-007.always-appends", "spec01", "The first chunk of an artifact has append: true.", {
    codec: events((event) => ("artifact" in event ? edited(event, "artifact.append", true) : event)),
  }),

  {
    id: "V01-STREAM-008.loses-it",
    base: "spec01",
    does: "Loses a task some time after its client has left the stream.",
    differs: () => {
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
      return { layers: { operations: (perform) => losing(leaving(perform)) } };
    },
  },

  {
    id: "V01-STREAM-008.forgets",
    base: "spec01",
    does: "The agent forgets a task when the client of its stream disconnects.",
    differs: () => {
      const forgotten = new RecentSet();
      const leaving = intercept(["SendStreamingMessage"], ({ request, invocation, proceed }) => {
        invocation.client.signal.addEventListener("abort", () => forgotten.add(request.message.taskId ?? ""));
        return proceed();
      });
      const forgetting = intercept(["GetTask"], async ({ request, proceed }) => {
        if (forgotten.has(request.id)) throw new A2AError("TaskNotFound", "There is no such task");
        return proceed();
      });
      return { layers: { operations: (perform) => forgetting(leaving(perform)) } };
    },
  },

  mutant(
    "V01-STREAM-009.streams-anyway",
    "spec01",
    "The method tasks/sendSubscribe works although the card does not declare streaming.",
    {
      card: (card) => edited(card, "capabilities.streaming", false),
    },
  ),

  mutant("V01-STREAM-010.below", "spec01", "The method tasks/sendSubscribe is known only at the path /subscribe.", {
    http: servedBelow("tasks/sendSubscribe", (id) => [
      200,
      { "Content-Type": "application/json" },
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }),
    ]),
  }),

  mutant("V01-SUB-001.not-implemented", "spec01", "The method tasks/resubscribe returns an error.", {
    operations: intercept(["SubscribeToTask"], () => {
      throw new A2AError("UnsupportedOperation", "Not implemented");
    }),
  }),

  mutant("V01-SUB-002.opens-anyway", "spec01", "The method tasks/resubscribe to an unknown task opens a stream.", {
    operations: intercept(["SubscribeToTask"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ events: working(request.id) })),
    ),
  }),

  mutant(
    "V01-PUSH-001.bare",
    "spec01",
    "The method tasks/pushNotification/set returns the configuration without the task id.",
    {
      codec: answerOf("CreateTaskPushNotificationConfig", (config) => config["pushNotificationConfig"]!),
    },
  ),

  mutant("V01-PUSH-002.other-url", "spec01", "The method tasks/pushNotification/get returns another url.", {
    codec: answerOf("GetTaskPushNotificationConfig", (config) =>
      edited(config, "pushNotificationConfig.url", "https://example.com/"),
    ),
  }),

  mutant("V01-PUSH-002.gone", "spec01", "Reading a push configuration does not find a configuration that was set.", {
    operations: intercept(["GetTaskPushNotificationConfig"], () => {
      throw new A2AError("TaskNotFound", "There is none");
    }),
  }),

  mutant("V01-PUSH-003.silent", "spec01", "The agent accepts push configurations and never calls a webhook.", {
    push: () => async () => ({ status: 200 }),
  }),

  mutant("V01-PUSH-004.no-token", "spec01", "Notifications lack the token of the configuration.", {
    push: (post) => (url, headers, body, signal) =>
      post(
        url,
        headers.filter(([name]) => !/token/i.test(name)),
        body,
        signal,
      ),
  }),

  mutant("V01-PUSH-005.no-news", "spec01", "Notifications have an empty object as body.", {
    push: (post) => (url, headers, _body, signal) => post(url, headers, "{}", signal),
  }),

  mutant("V01-PUSH-006.unread", "spec01", "The method tasks/send ignores pushNotification.", {
    operations: changeParams(["SendMessage"], ({ configuration = {}, ...request }) => {
      const { taskPushNotificationConfig: _unread, ...rest } = configuration;
      return { ...request, configuration: rest };
    }),
  }),

  mutant("V01-PUSH-007.any-task", "spec01", "The method tasks/pushNotification/set accepts an unknown task.", {
    operations: intercept(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => ({ answer: request })),
    ),
  }),

  mutant(
    "V01-PUSH-008.takes-them-anyway",
    "spec01",
    "The method tasks/pushNotification/set works although the card does not declare push.",
    {
      card: (card) => edited(card, "capabilities.pushNotifications", false),
    },
  ),

  // Rules that later versions have as well, where what breaks them there does not in 0.1.

  mutant("CARD-004.number-01", "spec01", "Describes itself with a number.", { card: put("description", 7) }),

  mutant("CARD-009.one-word-01", "spec01", "Writes its output modes as one text.", {
    card: put("defaultOutputModes", "text/plain"),
  }),

  mutant("CARD-014.bare-path-01", "spec01", "Gives its address without a host.", {
    card: (card) => ({ ...card, url: "/spec01", authentication: { schemes: [] } }),
  }),

  mutant("CARD-021.no-name-01", "spec01", "Has a skill without a name.", { card: put("skills.0.name", undefined) }),

  mutant("CARD-022.one-word-01", "spec01", "Writes the tags of a skill as one text.", {
    card: put("skills.0.tags", "text"),
  }),

  mutant("CARD-024.no-organization-01", "spec01", "Does not say who provides it.", {
    card: put("provider.organization", undefined),
  }),

  mutant("V03-CARD-001.no-url-01", "spec01", "Its card has no url.", {
    card: (card) => ({ ...without(card, "url"), authentication: { schemes: [] } }),
  }),

  mutant("CTX-013.unheard-01", "spec01", "Answers who replies to its question with the question.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const known = await ask("GetTask", { id: request.message.taskId ?? "" }).catch(() => undefined);
      return known?.status.state === "TASK_STATE_INPUT_REQUIRED" ? { answer: { task: known } } : proceed();
    }),
  }),

  mutant("V02-CARD-001.new-name-only-01", "spec01", "Keeps its card where no client of 0.1 looks for it.", {
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

import { invalidParams, isObject, type JsonObject, type JsonValue, type Task } from "@assay/protocol";
import { spec } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answeredTask, answerOf, eachMember, eachObject, events, inJson, without } from "../mutation/json.ts";
import { changeParams, intercept } from "../mutation/operations.ts";
import { changeMessage, changeSendParams, crashesOn } from "../mutation/requests.ts";

const eachText = (name: string, change: (text: string) => string) =>
  inJson((json) => eachMember(json, name, (value): JsonValue => (typeof value === "string" ? change(value) : value)));

/** Changes all objects of one kind. */
const each = (is: (object: JsonObject) => boolean, change: (object: JsonObject) => JsonObject) => (json: JsonValue) =>
  eachObject(json, (object) => (is(object) ? change(object) : object));

const isArtifact = (object: JsonObject): boolean => "artifactId" in object;
const isMessage = (object: JsonObject): boolean => "messageId" in object;
const isTask = (object: JsonObject): boolean => "status" in object && "id" in object;
/** Returns true for a part with content; card and webhook addresses are not parts. */
const isPart = (object: JsonObject): boolean =>
  ["text", "raw", "data"].some((name) => name in object) || ("url" in object && "filename" in object);

const isAgents = (object: JsonObject): boolean => isMessage(object) && object["role"] === "ROLE_AGENT";

/** Changes the message of a status in one state. */
const messageIn = (state: string, change: (message: JsonObject) => JsonObject) =>
  each(
    (object) => object["state"] === state && isObject(object["message"]),
    (status) => ({ ...status, message: change(status["message"] as JsonObject) }),
  );

export const dataMutants = [
  spec("DATA-001.snake-case", "Artifacts have artifact_id instead of artifactId.", {
    codec: inJson((json) =>
      eachObject(json, ({ artifactId, ...rest }) =>
        artifactId === undefined ? rest : { artifact_id: artifactId, ...rest },
      ),
    ),
  }),

  spec("DATA-001.next-page", "Responses have next_page_token instead of nextPageToken.", {
    codec: inJson(
      answerOf("ListTasks", ({ nextPageToken, ...page }) => ({ ...page, next_page_token: nextPageToken ?? "" })),
    ),
  }),

  spec("DATA-001.last-chunk", "Events have last_chunk instead of lastChunk.", {
    codec: inJson((json) =>
      eachObject(json, ({ lastChunk, ...rest }) =>
        lastChunk === undefined ? rest : { ...rest, last_chunk: lastChunk },
      ),
    ),
  }),

  spec("DATA-003.lower-case", "Task states are in the lower case of 0.3.", {
    codec: eachText("state", (state) => state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-")),
  }),

  spec("DATA-003.role", "Messages have the role agent, as in 0.3.", {
    codec: inJson(each(isAgents, (message) => ({ ...message, role: "agent" }))),
  }),

  spec("DATA-005.two-l", "A canceled task has the state TASK_STATE_CANCELLED.", {
    codec: eachText("state", (state) => state.replace("CANCELED", "CANCELLED")),
  }),

  spec("DATA-007.offset", "Timestamps end with +00:00 instead of Z.", {
    codec: eachText("timestamp", (time) => time.replace("Z", "+00:00")),
  }),

  spec("DATA-007.zoneless", "Timestamps have no time zone.", {
    codec: inJson((json) => eachMember(json, "timestamp", (time) => String(time).replace("Z", ""))),
  }),

  spec("DATA-021.hex", "The raw bytes of a file part are in hexadecimal instead of base64.", {
    codec: eachText("raw", (bytes) => Buffer.from(bytes, "base64").toString("hex")),
  }),

  spec("DATA-021.data-url", "File parts have a data URL as their bytes.", {
    codec: inJson((json) => eachMember(json, "raw", (raw) => `data:image/svg+xml;base64,${String(raw)}`)),
  }),

  spec("DATA-021.byte-array", "The raw bytes of a file part are an array of numbers.", {
    codec: inJson((json) => eachMember(json, "raw", (raw) => [...Buffer.from(String(raw), "base64")])),
  }),

  spec("DATA-028.latin-1", "JSON responses are encoded in Latin-1.", {
    http: changeAnswers((answer) => ({ ...answer, body: Buffer.from(String(answer.body), "latin1") })),
  }),

  spec("DATA-006.epoch", "Timestamps are numbers, the milliseconds since 1970.", {
    codec: inJson((json) => eachMember(json, "timestamp", (time) => Date.parse(String(time)))),
  }),

  spec("DATA-006.epoch-events", "Timestamps in streams are milliseconds since 1970.", {
    codec: inJson(events((event) => eachMember(event, "timestamp", (time) => Date.parse(String(time))))),
  }),

  spec("DATA-011.numbered", "The name of an artifact is a number.", {
    codec: inJson(each(isArtifact, (artifact) => ({ ...artifact, name: 7 }))),
  }),

  spec("DATA-013.placeholder", "Artifacts have no parts.", {
    codec: each(isArtifact, (artifact) => ({ ...artifact, parts: [] })),
  }),

  spec("DATA-013.no-reason", "The status message of a failed task has no parts.", {
    codec: messageIn("TASK_STATE_FAILED", (message) => ({ ...message, parts: [] })),
  }),

  spec("DATA-016.stub", "SendMessage returns a task without a status.", {
    codec: answeredTask((task) => without(task, "status")),
  }),

  spec("DATA-016.stub-first", "The first Task of a stream has no status.", {
    codec: inJson(
      events((event) =>
        isObject(event["task"]) ? { ...event, task: without(event["task"] as JsonObject, "status") } : event,
      ),
    ),
  }),

  spec("DATA-017.bare", "The status of a task is a string with the name of its state.", {
    codec: inJson((json, written) =>
      answeredTask((task) => ({ ...task, status: (task["status"] as JsonObject)["state"]! }))(json, written),
    ),
  }),

  spec("DATA-018.nameless", "Messages have no messageId.", {
    codec: each(isMessage, (message) => without(message, "messageId")),
  }),

  spec("DATA-018.nameless-failure", "A failed task has a message without messageId.", {
    codec: messageIn("TASK_STATE_FAILED", (message) => without(message, "messageId")),
  }),

  spec("DATA-018.said-twice", "GetTask returns the first history message twice.", {
    operations: intercept(["GetTask"], async ({ request, proceed }) => {
      const outcome = await proceed();
      const { history = [], ...task } = outcome.answer as Task;
      if (request.historyLength !== undefined || history.length === 0) return outcome;
      return { answer: { ...task, history: [history[0]!, ...history] } };
    }),
  }),

  spec("DATA-019.turned", "The history of a task shows the message of the client with ROLE_AGENT.", {
    codec: (json) =>
      eachMember(json, "history", (history) =>
        eachMember(history, "role", (role) => (role === "ROLE_USER" ? "ROLE_AGENT" : role)),
      ),
  }),

  spec("DATA-019.turned-when-read", "GetTask returns the client's messages with the role of the agent.", {
    codec: answerOf("GetTask", (task) =>
      eachMember(task, "history", (history) =>
        eachMember(history, "role", (role) => (role === "ROLE_USER" ? "ROLE_AGENT" : role)),
      ),
    ),
  }),

  spec("DATA-020.both", "Every text part also has data.", {
    codec: inJson(each(isPart, (part) => ("text" in part ? { ...part, data: {} } : part))),
  }),

  spec("DATA-020.raw-and-url", "A file part has both raw and url.", {
    codec: inJson(
      each(
        (object) => "raw" in object,
        (part) => ({ ...part, url: "https://files.example.com/copy" }),
      ),
    ),
  }),

  spec("DATA-020.empty-text", "A data part has an empty text as well.", {
    codec: inJson(each(isPart, (part) => ("data" in part ? { ...part, text: "" } : part))),
  }),

  spec("DATA-020.empty-file", "File parts have a name and a type, but no content.", {
    codec: each(
      (object) => "raw" in object,
      (part) => without(part, "raw"),
    ),
  }),

  spec("DATA-023.mime-type", "Parts have mimeType instead of mediaType.", {
    codec: inJson(
      each(isPart, ({ mediaType, ...part }) => (mediaType === undefined ? part : { ...part, mimeType: mediaType })),
    ),
  }),

  spec("DATA-024.same-id", "All artifacts of a task have the same artifactId.", {
    codec: each(isArtifact, (artifact) => ({ ...artifact, artifactId: "artifact" })),
  }),

  spec("DATA-025.no-task", "Status updates of a stream lack taskId.", {
    codec: events((event) =>
      isObject(event["statusUpdate"])
        ? { statusUpdate: without(event["statusUpdate"] as JsonObject, "taskId") }
        : event,
    ),
  }),

  spec("DATA-025.no-context", "Status updates have no contextId.", {
    codec: events((event) =>
      isObject(event["statusUpdate"])
        ? { statusUpdate: without(event["statusUpdate"] as JsonObject, "contextId") }
        : event,
    ),
  }),

  spec("DATA-026.text-flags", "The flags append and lastChunk are strings.", {
    codec: inJson((json) => eachMember(eachMember(json, "append", String), "lastChunk", String)),
  }),

  spec("DATA-027.list", "Empty metadata is an array instead of an object.", {
    codec: inJson(each(isTask, (task) => ({ ...task, metadata: [] }))),
  }),

  spec("DATA-031.resource-names", "The artifactId of an artifact is a resource name.", {
    codec: (json) => eachMember(json, "artifactId", (id) => `tasks/1/artifacts/${String(id)}`),
  }),

  spec("DATA-032.text", "ListTasks returns totalSize as a string.", {
    codec: inJson((json) => eachMember(json, "totalSize", String)),
  }),

  spec("DATA-034.single", "A single artifact is an object instead of an array.", {
    codec: inJson((json) =>
      eachMember(json, "artifacts", (artifacts) =>
        Array.isArray(artifacts) && artifacts.length === 1 ? artifacts[0]! : artifacts,
      ),
    ),
  }),

  spec("DATA-009.milliseconds-only", "The agent accepts only timestamps with three fractional digits.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const { statusTimestampAfter: after } = request;
      if (after === undefined || /\.\d{3}Z$/.test(after)) return proceed();
      throw invalidParams([{ path: "$.statusTimestampAfter", message: "is not a time" }]);
    }),
  }),

  spec("DATA-008.whole-seconds", "Timestamps have whole seconds only.", {
    codec: inJson((json) =>
      eachMember(json, "timestamp", (time) => (typeof time === "string" ? time.replace(/\.\d+Z$/, "Z") : time)),
    ),
  }),

  spec("DATA-012.fills-in", "SendMessage accepts a request without message and makes up a message.", {
    http: changeSendParams((params) => ({
      message: { messageId: "made-up", role: "ROLE_USER", parts: [{ text: "message-only" }] },
      ...params,
    })),
  }),

  spec("DATA-014.closed-world", "The agent rejects messages with an unknown member.", {
    http: changeMessage((message) => ("xUnknown" in message ? { ...message, parts: 7 } : message)),
  }),

  spec("DATA-022.objects-only", "The agent accepts data only if it is an object.", {
    http: changeMessage((message) =>
      JSON.stringify(message["parts"] ?? []).includes('"data":[') ? { ...message, parts: 7 } : message,
    ),
  }),

  spec("DATA-029.zero-is-unset", "The agent treats a historyLength of 0 as absent.", {
    operations: changeParams(["GetTask"], ({ historyLength, ...request }) =>
      historyLength ? { ...request, historyLength } : request,
    ),
  }),

  spec("DATA-033.null-in-metadata", "A null in the metadata of a message causes an internal error.", {
    http: crashesOn((body) => /"metadata":\{[^}]*:null/.test(body)),
  }),

  spec("DATA-033.null-dereference", "A member with the value null gets an internal error.", {
    http: crashesOn((body) => body.includes('"contextId":null')),
  }),
];

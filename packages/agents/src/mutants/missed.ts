import { setTimeout as delay } from "node:timers/promises";
import {
  A2AError,
  isObject,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksResponse,
  type Message,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from "@assay/protocol";
import { secureCallers } from "../access.ts";
import type { Layers } from "../layers.ts";
import { type Divergence, mutant } from "../mutant.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, errors, events, inJson, without } from "../mutation/json.ts";
import { changeParams, changeStream, type Events, intercept, orElse } from "../mutation/operations.ts";
import { changeMessage } from "../mutation/requests.ts";
import { silence } from "./subscribe.ts";

// Rules that another mutant breaks already, broken in a second way: each was overlooked once, or is one that agents are
// known for and that the first does not show.

type Codec = NonNullable<Layers["codec"]>;
type Post = Parameters<NonNullable<Layers["push"]>>[0];

const sends = ["SendMessage", "SendStreamingMessage"] as const;
const streams = ["SendStreamingMessage"] as const;
const allStreams = ["SendStreamingMessage", "SubscribeToTask"] as const;

const invalid = (message: string): A2AError => new A2AError("InvalidParams", message);

const isMessage = (object: JsonObject): boolean => "messageId" in object;
const isAgents = (object: JsonObject): boolean => isMessage(object) && object["role"] === "ROLE_AGENT";

/** Objects of one kind are written differently, wherever they stand. */
const each =
  (is: (object: JsonObject) => boolean, change: (object: JsonObject) => JsonObject): Codec =>
  (json) =>
    eachObject(json, (object) => (is(object) ? change(object) : object));

/** The message of a status in one state is written differently. */
const wordsIn = (state: string, change: (message: JsonObject) => JsonObject): Codec =>
  each(
    (object) => object["state"] === state && isObject(object["message"]),
    (status) => ({ ...status, message: change(status["message"] as JsonObject) }),
  );

const answeredTask = (change: (task: JsonObject) => JsonObject): Codec =>
  answerOf("SendMessage", (answer) =>
    isObject(answer["task"]) ? { ...answer, task: change(answer["task"] as JsonObject) } : answer,
  );

async function* only(event: StreamResponse): AsyncGenerator<StreamResponse> {
  yield event;
}

/** Notes which tasks are streamed. */
async function* noting(told: Events, into: Set<string>): AsyncGenerator<StreamResponse> {
  for await (const event of told) {
    if (event.task) into.add(event.task.id);
    yield event;
  }
}

async function* nothing(): AsyncGenerator<StreamResponse> {}

const sending: readonly Divergence[] = [
  mutant("SEND-001.bare", "spec", "Answers a message with the task itself, as 0.3 did.", {
    codec: inJson(answerOf("SendMessage", (answer) => answer["task"] ?? answer)),
  }),

  mutant("SEND-006.takes-nothing", "spec", "Takes a message without parts for one that says hello.", {
    http: changeMessage((message) =>
      Array.isArray(message["parts"]) && message["parts"].length === 0
        ? { ...message, parts: [{ text: "message-only hello" }] }
        : message,
    ),
  }),

  mutant("SEND-007.empty-part", "spec", "Reads a part that holds nothing as an empty text.", {
    http: changeMessage((message) => ({
      ...message,
      ...(Array.isArray(message["parts"]) && {
        parts: message["parts"].map((part) =>
          isObject(part) && !["text", "raw", "url", "data"].some((name) => name in part)
            ? { ...(part as JsonObject), text: "message-only" }
            : part,
        ),
      }),
    })),
  }),

  mutant("SEND-005.unspecified", "spec", "Takes a message in no role for one of the user.", {
    http: changeMessage((message) =>
      message["role"] === "ROLE_UNSPECIFIED" ? { ...message, role: "ROLE_USER" } : message,
    ),
  }),

  mutant("SEND-008.canceled-goes-on", "spec", "Takes a message to a task that was canceled, and works on it again.", {
    operations: intercept(["SendMessage"], ({ request, proceed, ask }) =>
      orElse(proceed(), "UnsupportedOperation", async (error) => {
        const task = await ask("GetTask", { id: request.message.taskId! });
        if (task.status.state !== "TASK_STATE_CANCELED") throw error;
        return { answer: { task: { ...task, status: { ...task.status, state: "TASK_STATE_COMPLETED" } } } };
      }),
    ),
  }),

  mutant("SEND-010.impatient", "spec", "Waits for a task as long as it is a short one.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const work = proceed();
      if (request.configuration?.returnImmediately) return work;
      const outcome = await Promise.race([work, delay(250)]);
      if (outcome) return outcome;
      work.catch(() => undefined);
      const { tasks } = await ask("ListTasks", {});
      const task = tasks.find(({ status }) => status.state === "TASK_STATE_WORKING");
      return task ? { answer: { task } } : work;
    }),
  }),

  mutant("SEND-011.cut-short", "spec", "Answers a message with the beginning of what it has made.", {
    codec: answeredTask((task) => ({
      ...task,
      ...(task["artifacts"] && {
        artifacts: eachMember(task["artifacts"], "text", (text) => String(text).slice(0, 8)),
      }),
    })),
  }),

  mutant("SEND-020.no-words", "spec", "Answers with a message that has no parts.", {
    operations: intercept(["SendMessage"], async ({ proceed }) => {
      const { message, ...rest } = (await proceed()).answer as SendMessageResponse;
      return { answer: message ? { message: { ...message, parts: [] } } : rest };
    }),
  }),
];

const conversing: readonly Divergence[] = [
  mutant("CTX-013.both-names", "spec", "Refuses a message that names the context of its task beside the task.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && contextId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      if (!task || task.contextId !== contextId) return proceed();
      throw invalid("Only one of taskId and contextId can be given");
    }),
  }),

  mutant("CTX-011.by-stream", "spec", "Streams the answer to a message whose context is not that of its task.", {
    operations: changeParams(streams, ({ message, ...request }) => {
      const { contextId, ...rest } = message;
      return { ...request, message: message.taskId || !contextId ? rest : { ...rest, contextId } };
    }),
  }),

  mutant("CTX-013.by-stream", "spec", "Begins another task with the answer to a question when that is streamed.", {
    operations: intercept(streams, async ({ request, proceed, ask }) => {
      const { taskId, ...message } = request.message;
      const task = taskId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      const isAnswer = task?.status.state === "TASK_STATE_INPUT_REQUIRED" && message.contextId === task.contextId;
      return isAnswer
        ? proceed({ ...request, message: { ...message, parts: [{ text: "task-lifecycle anew" }] } })
        : proceed();
    }),
  }),

  mutant("CTX-013.wants-context", "spec", "Refuses the answer to its question when that names the task alone.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && !contextId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      if (task?.status.state !== "TASK_STATE_INPUT_REQUIRED") return proceed();
      throw invalid("contextId is missing");
    }),
  }),

  {
    id: "GET-001.unsaved",
    base: "spec",
    does: "Does not keep the artifacts of a task that it has streamed.",
    differs: () => {
      const streamed = new Set<string>();
      const operations = intercept(["SendStreamingMessage", "GetTask"], async ({ operation, proceed }) => {
        const outcome = await proceed();
        if (operation === "SendStreamingMessage") return { events: noting(outcome.events!, streamed) };
        const { artifacts, ...task } = outcome.answer as Task;
        return { answer: { ...task, ...(artifacts && !streamed.has(task.id) && { artifacts }) } };
      });
      return { layers: { operations } };
    },
  },

  mutant("GET-001.silent", "spec", "Shows a task without what it said in its status when it is asked for later.", {
    operations: intercept(["GetTask"], async ({ proceed }) => {
      const task = (await proceed()).answer as Task;
      const { message: _said, ...status } = task.status;
      return { answer: { ...task, status } };
    }),
  }),

  {
    id: "GET-004.keeps-a-log",
    base: "spec",
    does: "Notes in the history of a task that somebody has read it.",
    differs: () => {
      const reads = new Map<string, Message[]>();
      const operations = intercept(["GetTask"], async ({ request, proceed }) => {
        const task = (await proceed()).answer as Task;
        const log = reads.get(task.id) ?? [];
        reads.set(task.id, log);
        log.push({ messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: [{ text: "Somebody has looked." }] });
        const { historyLength = Infinity } = request;
        const history = historyLength > 0 ? [...(task.history ?? []), ...log].slice(-historyLength) : [];
        return { answer: { ...task, ...(history.length && { history }) } };
      });
      return { layers: { operations } };
    },
  },

  mutant("HIST-001.plus-one", "spec", "Shows one more message of the history than was asked for.", {
    operations: changeParams(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: request.historyLength + 1 } : request,
    ),
  }),

  mutant("HIST-006.zero-is-all", "spec", "Answers messages with the whole history where none is asked for.", {
    operations: changeParams(["SendMessage"], ({ configuration: { historyLength, ...rest } = {}, ...request }) => ({
      ...request,
      configuration: { ...rest, ...(historyLength && { historyLength }) },
    })),
  }),

  mutant("HIST-007.zero-is-all", "spec", "Lists tasks with their whole history where none is asked for.", {
    operations: changeParams(["ListTasks"], ({ historyLength, ...request }) => ({
      ...request,
      ...(historyLength && { historyLength }),
    })),
  }),
];

const canceling: readonly Divergence[] = [
  mutant("CANCEL-002.failed-too", "spec", "Cancels a task that has failed.", {
    operations: intercept(["CancelTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotCancelable", async (error) => {
        const task = await ask("GetTask", { id: request.id });
        if (task.status.state !== "TASK_STATE_FAILED") throw error;
        return { answer: { ...task, status: { ...task.status, state: "TASK_STATE_CANCELED" } } };
      }),
    ),
  }),

  mutant("CANCEL-006.stays-open", "spec", "Keeps the stream of a canceled task open.", {
    operations: changeStream(allStreams, async function* (told, { invocation }) {
      let canceled = false;
      for await (const event of told) {
        canceled ||= event.statusUpdate?.status.state === "TASK_STATE_CANCELED";
        yield event;
      }
      if (canceled) yield* silence(invocation.signal);
    }),
  }),

  mutant("CANCEL-007.wants-metadata", "spec", "Takes CancelTask for invalid when it comes without metadata.", {
    operations: intercept(["CancelTask"], async ({ request, proceed }) => {
      if (!request.metadata) throw invalid("metadata is missing");
      return proceed();
    }),
  }),
];

const streaming: readonly Divergence[] = [
  mutant("STREAM-005.failed-stays-open", "spec", "Keeps the stream open after its task has failed.", {
    operations: changeStream(streams, async function* (told, { invocation }) {
      let failed = false;
      for await (const event of told) {
        failed ||= event.statusUpdate?.status.state === "TASK_STATE_FAILED";
        yield event;
      }
      if (failed) yield* silence(invocation.signal);
    }),
  }),

  mutant("STREAM-006.fails-silently", "spec", "Closes the stream without having told that the task failed.", {
    operations: changeStream(streams, async function* (told) {
      for await (const event of told) if (event.statusUpdate?.status.state !== "TASK_STATE_FAILED") yield event;
    }),
  }),

  mutant("STREAM-016.failed-too", "spec", "Streams a task that has failed to whoever sends it a message.", {
    operations: intercept(streams, ({ request, proceed, ask }) =>
      orElse(proceed(), "UnsupportedOperation", async (error) => {
        const task = await ask("GetTask", { id: request.message.taskId! });
        if (task.status.state !== "TASK_STATE_FAILED") throw error;
        return { events: only({ task }) };
      }),
    ),
  }),

  mutant("SUB-003.failed-too", "spec", "Shows a task that has failed to those who subscribe to it.", {
    operations: intercept(["SubscribeToTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "UnsupportedOperation", async (error) => {
        const task = await ask("GetTask", { id: request.id });
        if (task.status.state !== "TASK_STATE_FAILED") throw error;
        return { events: only({ task }) };
      }),
    ),
  }),

  mutant("STREAM-007.late-artifact", "spec", "Streams the last chunk of an artifact behind the end of its task.", {
    operations: changeStream(streams, async function* (told) {
      let held: StreamResponse | undefined;
      for await (const event of told) {
        if (event.artifactUpdate?.lastChunk) held = event;
        else yield event;
      }
      if (held) yield held;
    }),
  }),

  mutant("STREAM-008.two-in-one", "spec", "Streams the whole task beside every status update.", {
    codec: inJson(
      events((event) => {
        const { taskId, contextId, status } = (event["statusUpdate"] ?? {}) as JsonObject;
        return status ? { ...event, task: { id: taskId!, contextId: contextId!, status } } : event;
      }),
    ),
  }),

  mutant("STREAM-015.one-document", "minimal", "Answers who wants a stream with a document, as it does not stream.", {
    operations: intercept(streams, async ({ request, ask }) => ({ answer: await ask("SendMessage", request) })),
  }),

  mutant("STREAM-019.other-context", "spec", "Names another context in its artifact updates than in the task.", {
    operations: changeStream(streams, async function* (told) {
      for await (const event of told) {
        const { artifactUpdate } = event;
        yield artifactUpdate ? { artifactUpdate: { ...artifactUpdate, contextId: "somewhere-else" } } : event;
      }
    }),
  }),

  mutant("STREAM-021.never-appends", "spec", "Streams the chunks of an artifact as if each were all of it.", {
    operations: changeStream(streams, async function* (told) {
      for await (const event of told) {
        const { append: _append, ...update } = event.artifactUpdate ?? {};
        yield event.artifactUpdate ? { artifactUpdate: { ...event.artifactUpdate, ...update, append: false } } : event;
      }
    }),
  }),

  mutant("SUB-001.as-it-began", "spec", "Opens a subscription with the task as it was when it began.", {
    operations: changeStream(["SubscribeToTask"], async function* (told) {
      for await (const event of told) {
        const { task } = event;
        yield task && !isTerminal(task.status.state)
          ? { task: { ...task, status: { ...task.status, state: "TASK_STATE_SUBMITTED" } } }
          : event;
      }
    }),
  }),

  mutant("SUB-003.empty", "spec", "Opens a stream for those who subscribe to an ended task, and says nothing on it.", {
    operations: intercept(["SubscribeToTask"], ({ proceed }) =>
      orElse(proceed(), "UnsupportedOperation", () => ({ events: nothing() })),
    ),
  }),

  mutant("SUB-006.not-while-authorising", "spec", "Refuses those who subscribe to a task that waits for a login.", {
    operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_AUTH_REQUIRED") return proceed();
      throw new A2AError("UnsupportedOperation", "The task is not at work");
    }),
  }),
];

const listing: readonly Divergence[] = [
  mutant("LIST-006.unfiltered", "spec", "Counts the tasks of all contexts, whichever is asked for.", {
    operations: intercept(["ListTasks"], async ({ proceed, ask }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      const { totalSize } = await ask("ListTasks", {});
      return { answer: { ...page, totalSize: page.totalSize && totalSize + 1 } };
    }),
  }),

  mutant("LIST-016.ended-only", "spec", "Finds no tasks that wait for the user where those are asked for.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      if (request.status !== "TASK_STATE_INPUT_REQUIRED") return { answer: page };
      return { answer: { ...page, tasks: [], nextPageToken: "", totalSize: 0 } };
    }),
  }),

  mutant("LIST-013.page-wise", "spec", "Begins with the page of the oldest tasks, and sorts each page by itself.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      const { pageSize = 50, pageToken = "", ...query } = request;
      if (pageSize < 1 || pageSize > 100 || (pageToken && !/^\d+$/.test(pageToken))) return proceed();
      const all = await ask("ListTasks", { ...query, pageSize: 100 });
      const end = all.tasks.length - Number(pageToken);
      const tasks = all.tasks.slice(Math.max(0, end - pageSize), end);
      const shown = Number(pageToken) + tasks.length;
      const nextPageToken = shown < all.tasks.length ? String(shown) : "";
      return { answer: { ...all, tasks, pageSize, nextPageToken } };
    }),
  }),

  mutant("LIST-018.strictly-after", "spec", "Leaves out tasks of just the time after which they are asked for.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      const after = Date.parse(request.statusTimestampAfter ?? "");
      const tasks = page.tasks.filter(({ status }) => Date.parse(status.timestamp ?? "") !== after);
      return { answer: { ...page, tasks, totalSize: page.totalSize - page.tasks.length + tasks.length } };
    }),
  }),

  mutant("LIST-020.hollow", "spec", "Lists artifacts without what is in them.", {
    codec: answerOf("ListTasks", (page) => eachMember(page, "text", () => "")),
  }),

  mutant("LIST-024.no-such-time", "spec", "Calls it an error when no task is of that time.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const outcome = await proceed();
      const { tasks } = outcome.answer as ListTasksResponse;
      if (request.statusTimestampAfter && tasks.length === 0) throw new A2AError("TaskNotFound", "No task matches");
      return outcome;
    }),
  }),

  mutant("LIST-024.no-such-state", "spec", "Calls it an error when no task is in a state.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const outcome = await proceed();
      const { tasks } = outcome.answer as ListTasksResponse;
      if (request.status && tasks.length === 0) throw new A2AError("TaskNotFound", "No task matches");
      return outcome;
    }),
  }),
];

const writing: readonly Divergence[] = [
  mutant("DATA-001.next-page", "spec", "Writes next_page_token where nextPageToken belongs.", {
    codec: inJson(
      answerOf("ListTasks", ({ nextPageToken, ...page }) => ({ ...page, next_page_token: nextPageToken ?? "" })),
    ),
  }),

  mutant("DATA-001.last-chunk", "spec", "Writes last_chunk where lastChunk belongs.", {
    codec: inJson((json) =>
      eachObject(json, ({ lastChunk, ...rest }) =>
        lastChunk === undefined ? rest : { ...rest, last_chunk: lastChunk },
      ),
    ),
  }),

  mutant("DATA-006.epoch-events", "spec", "Writes the timestamps in its streams as milliseconds since 1970.", {
    codec: inJson(events((event) => eachMember(event, "timestamp", (time) => Date.parse(String(time))))),
  }),

  mutant("DATA-003.role", "spec", "Writes its role as 0.3 did: agent.", {
    codec: inJson(each(isAgents, (message) => ({ ...message, role: "agent" }))),
  }),

  mutant("DATA-007.zoneless", "spec", "Writes its timestamps without a zone.", {
    codec: inJson((json) => eachMember(json, "timestamp", (time) => String(time).replace("Z", ""))),
  }),

  mutant("DATA-013.no-reason", "spec", "Fails with a message that has no parts.", {
    codec: wordsIn("TASK_STATE_FAILED", (message) => ({ ...message, parts: [] })),
  }),

  mutant("DATA-016.stub-first", "spec", "Opens its streams with a task that has no status.", {
    codec: inJson(
      events((event) =>
        isObject(event["task"]) ? { ...event, task: without(event["task"] as JsonObject, "status") } : event,
      ),
    ),
  }),

  mutant("DATA-018.nameless-failure", "spec", "Fails with a message that has no messageId.", {
    codec: wordsIn("TASK_STATE_FAILED", (message) => without(message, "messageId")),
  }),

  mutant("DATA-020.empty-file", "spec", "Shows a file by its name and type, and not what is in it.", {
    codec: each(
      (object) => "raw" in object,
      (part) => without(part, "raw"),
    ),
  }),

  mutant("DATA-021.data-url", "spec", "Writes the bytes of a file as a data URL.", {
    codec: inJson((json) => eachMember(json, "raw", (raw) => `data:image/svg+xml;base64,${String(raw)}`)),
  }),

  mutant("V03-DATA-003.new-role", "spec03", "Writes its role in a direct answer as 1.0 does.", {
    codec: answerOf("SendMessage", (answer) =>
      answer["kind"] === "message" ? { ...answer, role: "ROLE_AGENT" } : answer,
    ),
  }),

  mutant("DATA-020.empty-file-03", "spec03", "Shows a file by its name and type, and not what is in it.", {
    codec: (json, { binding }) =>
      binding === "JSONRPC"
        ? eachMember(json, "file", (file): JsonValue => without(file as JsonObject, "bytes"))
        : json,
  }),

  mutant("ERR-001.wordless", "spec", "Its errors have a code, and no words.", {
    codec: (json, { is, binding }) =>
      is === "error" && binding !== "GRPC" ? eachMember(json, "message", () => "") : json,
  }),

  mutant("ERR-002.single", "spec", "Its errors over JSON-RPC have one object in the place of a list of details.", {
    codec: errors("JSONRPC", (answer) => {
      const error = answer["error"] as JsonObject;
      const [detail] = (error["data"] ?? []) as JsonObject[];
      return detail ? { ...answer, error: { ...error, data: detail } } : answer;
    }),
  }),

  mutant("ERR-020.other-reason", "spec", "Gives NOT_FOUND as the reason where there is no such task.", {
    http: changeAnswers((answer) => ({
      ...answer,
      body: String(answer.body).replaceAll('"TASK_NOT_FOUND"', '"NOT_FOUND"'),
    })),
  }),
];

const extendedCards: readonly Divergence[] = [
  mutant("XCARD-005.no-interfaces", "spec", "Leaves out of its extended card where it is to be reached.", {
    codec: answerOf("GetExtendedAgentCard", (card) => without(card, "supportedInterfaces")),
  }),
];

/** What somebody else would get, where the caller gets nothing. */
const forAnybody = intercept(["SubscribeToTask"], ({ proceed }) =>
  orElse(proceed(), "TaskNotFound", async (error) => {
    for (const caller of secureCallers) {
      const theirs = await proceed(undefined, { caller }).catch(() => undefined);
      if (theirs) return theirs;
    }
    throw error;
  }),
);

const trespassing: readonly Divergence[] = [
  mutant("AUTH-006.open-streams", "secure", "Lets everybody subscribe, without looking for credentials.", {
    http: (serve) => async (request, reply) => {
      const body = request.method === "POST" ? String(await request.body().catch(() => "")) : "";
      const isSubscription = body.includes('"SubscribeToTask"') || request.path.endsWith(":subscribe");
      if (!isSubscription || request.headers.authorization || request.headers["x-api-key"])
        return serve(request, reply);
      const stream = reply.events({});
      stream.end();
    },
  }),

  mutant("AUTH-011.unfiltered", "secure", "Lists the tasks of everybody to those who name no context.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (request.contextId) return proceed();
      const all = await Promise.all(secureCallers.map((caller) => ask("ListTasks", request, { caller })));
      const tasks = all.flatMap((page) => page.tasks).slice(0, request.pageSize);
      return { answer: { ...all[0], tasks, totalSize: tasks.length } };
    }),
  }),

  mutant("AUTH-012.borrowed-token", "secure", "Shows the next page to everybody who has its token.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      if (!request.pageToken) return proceed();
      for (const caller of secureCallers) {
        const page = await ask("ListTasks", request, { caller }).catch(() => undefined);
        if (page?.tasks.length) return { answer: page };
      }
      return proceed();
    }),
  }),

  mutant("AUTH-014.anybody-watches", "secure", "Lets everybody subscribe to a task who knows its id.", {
    operations: forAnybody,
  }),

  mutant("AUTH-015.by-stream", "secure", "Takes messages into a task from everybody who wants a stream.", {
    operations: intercept(streams, async ({ request, proceed, ask }) => {
      const { taskId } = request.message;
      return orElse(proceed(), "TaskNotFound", async (error) => {
        for (const caller of taskId ? secureCallers : []) {
          const task = await ask("GetTask", { id: taskId! }, { caller }).catch(() => undefined);
          if (task) return { events: only({ task }) };
        }
        throw error;
      });
    }),
  }),

  mutant("AUTH-016.ended-for-all", "secure", "Says of a task of somebody else that it takes no more messages.", {
    operations: intercept(sends, async ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const caller of secureCallers) {
          const theirs = await ask("GetTask", { id: request.message.taskId! }, { caller }).catch(() => undefined);
          if (theirs && isTerminal(theirs.status.state))
            throw new A2AError("UnsupportedOperation", "The task has ended");
        }
        throw error;
      }),
    ),
  }),
];

/** What somebody else has asked for. */
const stranger: TaskPushNotificationConfig = {
  id: "somebody-elses",
  taskId: "another-task",
  url: "https://example.com/webhook",
};

const notifying: readonly Divergence[] = [
  mutant("PUSH-013.all-tasks", "full", "Lists push configurations of other tasks besides.", {
    operations: intercept(["ListTaskPushNotificationConfigs"], async ({ proceed }) => {
      const { configs = [], ...rest } = (await proceed()).answer as ListTaskPushNotificationConfigsResponse;
      // Where there are none of its own, it is the rule about empty lists that is broken.
      return { answer: { ...rest, configs: configs.length ? [...configs, stranger] : configs } };
    }),
  }),

  mutant("PUSH-022.list", "full", "Posts to webhooks a list of what happened.", {
    push:
      (post): Post =>
      (url, headers, body, signal) =>
        post(url, headers, `[${body}]`, signal),
  }),

  mutant("PUSH-023.lower-case", "full", "Posts to webhooks the states of tasks as 0.3 did.", {
    push:
      (post): Post =>
      (url, headers, body, signal) =>
        post(
          url,
          headers,
          body.replace(/TASK_STATE_(\w+)/g, (_, state: string) => state.toLowerCase()),
          signal,
        ),
  }),

  {
    id: "PUSH-024.lends-them",
    base: "full",
    does: "Shows webhooks without credentials those of others.",
    differs: () => {
      const known = new Map<string, readonly [string, string]>();
      const push =
        (post: Post): Post =>
        (url, headers, body, signal) => {
          const task = /"(?:taskId|id)":"([^"]+)"/.exec(body)?.[1] ?? "";
          const own = headers.find(([name]) => name === "Authorization");
          if (own) known.set(task, own);
          const lent = own ? undefined : known.get(task);
          return post(url, lent ? [...headers, lent] : headers, body, signal);
        };
      return { layers: { push } };
    },
  },
];

export const missedMutants: readonly Divergence[] = [
  ...sending,
  ...conversing,
  ...canceling,
  ...streaming,
  ...listing,
  ...writing,
  ...extendedCards,
  ...trespassing,
  ...notifying,
];

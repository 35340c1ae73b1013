import type {
  GetTaskRequest,
  JsonObject,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
} from "@assay/protocol";
import { type Divergence, spec } from "../definition/divergence.ts";
import { answerOf, errors, inJson, without } from "../mutation/json.ts";
import { changeAnswer, changeParams, type Events, instead, intercept, refuseAs } from "../mutation/operations.ts";
import { RecentMap, RecentSet } from "../mutation/recent.ts";

/** A response that exposes internals of the server. */
const stackTrace = [
  "TypeError: Cannot read properties of undefined (reading 'length')",
  "    at TaskStore.find (/srv/agent/src/store.js:41:22)",
  "    at async Agent.getTask (/srv/agent/src/agent.js:118:18)",
].join("\n");

/** Returns the fields that a JSON-RPC error names. */
const blamed = ({ error }: JsonObject): unknown[] =>
  ((error as JsonObject)["data"] as JsonObject[]).flatMap((detail) =>
    ((detail["fieldViolations"] ?? []) as JsonObject[]).map(({ field }) => field),
  );

/** Remembers which tasks were read. */
const readOnce: Divergence = spec("GET-004.read-once", "GetTask returns the artifacts only the first time.", () => {
  const read = new RecentSet();
  const operations = changeAnswer(["GetTask"], (task) => {
    if (!task.artifacts || !read.has(task.id)) {
      if (task.artifacts) read.add(task.id);
      return task;
    }
    const { artifacts: _seen, ...rest } = task;
    return rest;
  });
  return { operations };
});

/** Records which tasks are streamed. */
async function* noting(events: Events, into: RecentSet): AsyncGenerator<StreamResponse> {
  for await (const event of events) {
    if (event.task) into.add(event.task.id);
    yield event;
  }
}

export const getMutants: readonly Divergence[] = [
  spec("GET-001.no-artifacts", "GetTask returns a completed task without its artifacts.", {
    codec: answerOf("GetTask", (task) => without(task, "artifacts")),
  }),

  spec("GET-001.unsaved", "Does not store the artifacts of a streamed task.", () => {
    const streamed = new RecentSet();
    const operations = intercept(["SendStreamingMessage", "GetTask"], async ({ operation, proceed }) => {
      const outcome = await proceed();
      if (operation === "SendStreamingMessage") return { events: noting(outcome.events!, streamed) };
      const { artifacts, ...task } = outcome.answer as Task;
      return { answer: { ...task, ...(artifacts && !streamed.has(task.id) && { artifacts }) } };
    });
    return { operations };
  }),

  spec("GET-001.silent", "GetTask returns the status without its message.", {
    operations: changeAnswer(["GetTask"], (task) => {
      const { message: _said, ...status } = task.status;
      return { ...task, status };
    }),
  }),

  spec("GET-002.empty", "GetTask returns an empty object for an unknown task.", {
    operations: instead(["GetTask"], "TaskNotFound", () => ({ answer: {} })),
  }),

  spec("GET-002.null", "GetTask returns result: null for an unknown task over JSON-RPC.", {
    codec: (json, { is, binding, operation }) => {
      if (is !== "error" || binding !== "JSONRPC" || operation !== "GetTask") return json;
      if (!JSON.stringify(json).includes("TASK_NOT_FOUND")) return json;
      const { jsonrpc, id } = json as JsonObject;
      return { jsonrpc: jsonrpc!, id: id!, result: null };
    },
  }),

  spec("GET-002.unsupported", "Every operation on an unknown task returns UnsupportedOperationError.", {
    operations: refuseAs(
      ["GetTask", "CancelTask", "SubscribeToTask", "SendMessage", "SendStreamingMessage"],
      "TaskNotFound",
      "UnsupportedOperation",
    ),
  }),

  spec("GET-002.invalid", "GetTask returns invalid params for an unknown task.", {
    operations: refuseAs(["GetTask"], "TaskNotFound", "InvalidParams", "There is no task with this id"),
  }),

  spec("GET-003.stack-trace", "GetTask without id returns an internal error with a stack trace.", {
    codec: errors("JSONRPC", (answer, { operation }) =>
      operation === "GetTask" && blamed(answer).includes("id")
        ? { ...answer, error: { code: -32603, message: stackTrace } }
        : answer,
    ),
  }),

  readOnce,

  spec("GET-005.wrapped", "GetTask wraps the task in a task member, as SendMessage does.", {
    codec: inJson(answerOf("GetTask", (task) => ({ task }))),
  }),

  spec("GET-004.keeps-a-log", "Reading a task adds a message to its history.", () => {
    const reads = new RecentMap<Message[]>();
    const operations = changeAnswer(["GetTask"], (task, { request }) => {
      const log = reads.get(task.id) ?? [];
      log.push({ messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: [{ text: "The task was read." }] });
      reads.set(task.id, log);
      const { historyLength = Infinity } = request;
      const history = historyLength > 0 ? [...(task.history ?? []), ...log].slice(-historyLength) : [];
      return { ...task, ...(history.length && { history }) };
    });
    return { operations };
  }),

  spec("GET-004.to-the-front", "GetTask moves the task to the front of ListTasks.", () => {
    const reads = new RecentMap<true>();
    const operations = intercept(["GetTask", "ListTasks"], async ({ operation, proceed }) => {
      const { answer } = await proceed();
      if (operation === "GetTask") {
        reads.set((answer as Task).id, true);
        return { answer };
      }
      const page = answer as ListTasksResponse;
      const order = [...reads.keys()];
      const place = ({ id }: Task): number => order.indexOf(id);
      return { answer: { ...page, tasks: page.tasks.toSorted((a, b) => place(b) - place(a)) } };
    });
    return { operations };
  }),

  spec("GET-004.cuts-what-it-keeps", "GetTask with historyLength deletes the messages that it does not return.", () => {
    const kept = new RecentMap<number>();
    const operations = changeAnswer(["GetTask"], (task, { request }) => {
      const { historyLength = Infinity } = request;
      const limit = Math.min(historyLength || Infinity, kept.get(task.id) ?? Infinity);
      if (Number.isFinite(limit)) kept.set(task.id, limit);
      const { history, ...rest } = task;
      return { ...rest, ...(history && { history: history.slice(-limit) }) };
    });
    return { operations };
  }),
];

const withoutLimit = ({ historyLength: _limit, ...request }: GetTaskRequest): GetTaskRequest => request;

const withoutLimitInAnswer = ({ configuration, ...request }: SendMessageRequest): SendMessageRequest => {
  if (!configuration) return request;
  const { historyLength: _limit, ...rest } = configuration;
  return { ...request, configuration: rest };
};

export const historyMutants = [
  spec("HIST-001.pairs", "GetTask with historyLength N returns 2N messages.", {
    operations: changeParams(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: 2 * request.historyLength } : request,
    ),
  }),

  spec("HIST-001.plus-one", "GetTask returns one message more than historyLength.", {
    operations: changeParams(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: request.historyLength + 1 } : request,
    ),
  }),

  spec("HIST-002.first-ones", "GetTask with historyLength N returns the first N messages instead of the last N.", {
    operations: intercept(["GetTask"], async ({ request, proceed }) => {
      if (!request.historyLength || request.historyLength < 0) return proceed();
      const task = (await proceed(withoutLimit(request))).answer as Task;
      return { answer: { ...task, history: task.history?.slice(0, request.historyLength) } };
    }),
  }),

  spec("HIST-003.zero-is-all", "GetTask with historyLength 0 returns the whole history.", {
    operations: changeParams(["GetTask"], (request) => (request.historyLength === 0 ? withoutLimit(request) : request)),
  }),

  spec("HIST-004.empty-list", "GetTask with historyLength 0 returns an empty history array instead of none.", {
    codec: inJson(answerOf("GetTask", (task) => ({ ...task, history: task["history"] ?? [] }))),
  }),

  spec("HIST-006.get-only", "SendMessage ignores historyLength and returns the whole history.", {
    operations: changeParams(["SendMessage"], withoutLimitInAnswer),
  }),

  spec("HIST-006.zero-is-all", "SendMessage returns the whole history although historyLength is 0.", {
    operations: changeParams(["SendMessage"], ({ configuration: { historyLength, ...rest } = {}, ...request }) => ({
      ...request,
      configuration: { ...rest, ...(historyLength && { historyLength }) },
    })),
  }),

  spec("HIST-007.lists-all", "ListTasks ignores historyLength and returns the whole history.", {
    operations: changeParams(["ListTasks"], ({ historyLength: _limit, ...request }): ListTasksRequest => request),
  }),

  spec("HIST-007.zero-is-all", "ListTasks returns the whole history although historyLength is 0.", {
    operations: changeParams(["ListTasks"], ({ historyLength, ...request }) => ({
      ...request,
      ...(historyLength && { historyLength }),
    })),
  }),

  spec("HIST-008.no-limit", "The agent accepts a negative historyLength as no limit.", {
    operations: changeParams(["GetTask"], (request) =>
      (request.historyLength ?? 0) < 0 ? withoutLimit(request) : request,
    ),
  }),

  spec("HIST-009.whole", "The first Task of a stream has the whole history, whatever historyLength is.", {
    operations: changeParams(["SendStreamingMessage"], withoutLimitInAnswer),
  }),
];

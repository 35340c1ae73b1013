import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  A2AError,
  isObject,
  isResting,
  type JsonObject,
  type JsonValue,
  type Message,
  type SendMessageResponse,
} from "@assay/protocol";
import { type Divergence, spec } from "../definition/divergence.ts";
import { answeredTask, answerOf, eachMember, errors, inJson, without } from "../mutation/json.ts";
import { changeAnswer, changeParams, changeStream, instead, intercept, refuseAs } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { changeMessage } from "../mutation/requests.ts";

const sends = ["SendMessage", "SendStreamingMessage"] as const;

/** Turns a JSON-RPC rejection of this field into an internal error. */
const breaksDownAt = (field: string) =>
  errors("JSONRPC", (answer, { operation }) => {
    const { data = [] } = answer["error"] as { data?: JsonObject[] };
    const fields = data.flatMap((detail) =>
      ((detail["fieldViolations"] ?? []) as JsonObject[]).map((violation) => violation["field"]),
    );
    return operation === "SendMessage" && fields.includes(field)
      ? { ...answer, error: { code: -32603, message: "Internal error" } }
      : answer;
  });

const isText = (value: JsonValue): boolean => typeof value === "string";

/** Remembers earlier messages. */
const repeated: Divergence = spec("SEND-018.breaks-down", "A repeated messageId gets an internal error.", () => {
  const seen = new RecentSet();
  const operations = intercept(["SendMessage"], async ({ request, proceed }) => {
    const { messageId } = request.message;
    if (seen.has(messageId)) throw new A2AError("Internal", "UNIQUE constraint failed: messages.id");
    seen.add(messageId);
    return proceed();
  });
  return { operations };
});

export const sendMutants: readonly Divergence[] = [
  spec("SEND-001.both", "SendMessage returns both a task and a message.", {
    codec: inJson(
      answerOf("SendMessage", (answer) => {
        if (!answer["task"]) return answer;
        const { contextId } = answer["task"] as { contextId: string };
        const parts = [{ text: "Working on it." }];
        return { ...answer, message: { messageId: "beside", contextId, role: "ROLE_AGENT", parts } };
      }),
    ),
  }),

  spec("SEND-001.bare", "SendMessage returns the Task without the task wrapper, as in 0.3.", {
    codec: inJson(answerOf("SendMessage", (answer) => answer["task"] ?? answer)),
  }),

  spec("SEND-001.task-left-behind", "SendMessage creates a task, but returns a message that does not mention it.", {
    operations: changeAnswer(["SendMessage"], (answer) => {
      const { task } = answer;
      if (!task?.artifacts?.length) return answer;
      const { contextId, artifacts } = task;
      const parts = artifacts.flatMap((artifact) => artifact.parts);
      return { message: { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts } };
    }),
  }),

  spec("SEND-003.breaks-down", "SendMessage without message returns an internal error over JSON-RPC.", {
    codec: breaksDownAt("message"),
  }),

  spec("SEND-004.invents-it", "The agent accepts a message without messageId and generates one.", {
    http: changeMessage((message) => ({ ...message, messageId: message["messageId"] || "made-up" })),
  }),

  spec("SEND-005.guesses", "The agent accepts a message without a role as a message of the user.", {
    http: changeMessage((message) => ({ role: "ROLE_USER", ...message })),
  }),

  spec("SEND-005.unspecified", "Accepts a message without a role as a user message.", {
    http: changeMessage((message) =>
      message["role"] === "ROLE_UNSPECIFIED" ? { ...message, role: "ROLE_USER" } : message,
    ),
  }),

  spec("SEND-006.breaks-down", "A message without parts causes an internal error over JSON-RPC.", {
    codec: breaksDownAt("message.parts"),
  }),

  spec("SEND-006.takes-nothing", "The agent accepts a message without parts and completes a task for it.", {
    http: changeMessage((message) =>
      Array.isArray(message["parts"]) && message["parts"].length === 0
        ? { ...message, parts: [{ text: "message-only hello" }] }
        : message,
    ),
  }),

  spec("SEND-007.first-one", "The agent accepts a part with text and url, and ignores the url.", {
    http: changeMessage((message) => ({
      ...message,
      ...(Array.isArray(message["parts"]) && {
        parts: message["parts"].map((part) =>
          (part as JsonObject)?.["text"] === undefined ? part : without(part as JsonObject, "url"),
        ),
      }),
    })),
  }),

  spec("SEND-007.empty-part", "Reads an empty part as an empty text.", {
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

  spec("SEND-008.takes-it", "The agent accepts a message to a completed task and returns new work under its id.", {
    operations: instead(["SendMessage"], "UnsupportedOperation", async (_error, { request, proceed }) => {
      const { taskId, ...message } = request.message;
      const { task } = (await proceed({ ...request, message })).answer as SendMessageResponse;
      return { answer: task && taskId ? { task: { ...task, id: taskId } } : {} };
    }),
  }),

  spec("SEND-008.failed-goes-on", "Accepts a message to a failed task and works on it again.", {
    operations: instead(["SendMessage"], "UnsupportedOperation", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.message.taskId! });
      if (task.status.state !== "TASK_STATE_FAILED") throw error;
      return { answer: { task: { ...task, status: { ...task.status, state: "TASK_STATE_COMPLETED" } } } };
    }),
  }),

  spec("SEND-008.canceled-goes-on", "Accepts a message to a canceled task and works on it again.", {
    operations: instead(["SendMessage"], "UnsupportedOperation", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.message.taskId! });
      if (task.status.state !== "TASK_STATE_CANCELED") throw error;
      return { answer: { task: { ...task, status: { ...task.status, state: "TASK_STATE_COMPLETED" } } } };
    }),
  }),

  spec("SEND-009.unsupported", "SendMessage with an unsupported media type returns UnsupportedOperationError.", {
    operations: refuseAs(sends, "ContentTypeNotSupported", "UnsupportedOperation"),
  }),

  spec("SEND-009.internal", "SendMessage with an unsupported media type returns -32603.", {
    operations: refuseAs(["SendMessage"], "ContentTypeNotSupported", "Internal"),
  }),

  spec("SEND-010.never-waits", "SendMessage returns the task at once although returnImmediately is not set.", {
    operations: changeParams(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, returnImmediately: true },
    })),
  }),

  spec("SEND-010.impatient", "A blocking SendMessage waits only for short tasks.", {
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

  spec("SEND-011.no-artifacts", "SendMessage returns the completed task without its artifacts.", {
    codec: answerOf("SendMessage", ({ task, ...rest }) =>
      task ? { task: without(task as JsonObject, "artifacts"), ...rest } : rest,
    ),
  }),

  spec("SEND-011.cut-short", "SendMessage returns artifacts with truncated text.", {
    codec: answeredTask((task) => ({
      ...task,
      ...(task["artifacts"] && {
        artifacts: eachMember(task["artifacts"], "text", (text) => String(text).slice(0, 8)),
      }),
    })),
  }),

  spec("SEND-012.always-waits", "SendMessage with returnImmediately waits until the task has ended.", {
    operations: changeParams(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, returnImmediately: false },
    })),
  }),

  spec("SEND-013.stored-late", "GetTask does not find a task before its work is done.", {
    operations: changeAnswer(["GetTask"], (answer, { request }) => {
      const { status } = answer;
      if (isResting(status.state)) return answer;
      throw new A2AError("TaskNotFound", `There is no task ${request.id} here`);
    }),
  }),

  spec("SEND-014.empty", "SendMessage with returnImmediately returns an empty result instead of the Message.", {
    operations: changeAnswer(["SendMessage"], (answer, { request }) => {
      const { message } = answer;
      return message && request.configuration?.returnImmediately ? {} : answer;
    }),
  }),

  spec("SEND-015.closes", "SendStreamingMessage with returnImmediately closes the stream after the first event.", {
    operations: changeStream(["SendStreamingMessage"], async function* (events, { request }) {
      for await (const event of events) {
        yield event;
        if (request.configuration?.returnImmediately) return;
      }
    }),
  }),

  spec("SEND-016.data-anyway", "The agent ignores acceptedOutputModes and returns structured data as text.", {
    async *events(events) {
      for await (const event of events) {
        if (event.is !== "artifact") yield event;
        else yield { ...event, parts: [...event.parts, { data: { beside: "text" }, mediaType: "text/plain" }] };
      }
    },
  }),

  spec("SEND-017.strings-only", "The agent rejects metadata with values that are not strings.", {
    operations: intercept(sends, async ({ request, proceed }) => {
      if (Object.values(request.metadata ?? {}).every(isText)) return proceed();
      throw new A2AError("InvalidParams", "Values of metadata have to be strings");
    }),
  }),

  spec("SEND-020.as-the-user", "The agent responds with the role ROLE_USER and the messageId of the user.", {
    operations: changeAnswer(["SendMessage"], ({ message, ...rest }, { request }) => {
      if (!message) return rest;
      const echoed: Message = { ...message, messageId: request.message.messageId, role: "ROLE_USER" };
      return { message: echoed };
    }),
  }),

  spec("SEND-020.no-words", "SendMessage returns a message without parts.", {
    operations: changeAnswer(["SendMessage"], ({ message, ...rest }) =>
      message ? { message: { ...message, parts: [] } } : rest,
    ),
  }),

  repeated,
];

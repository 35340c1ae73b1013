import { randomUUID } from "node:crypto";
import {
  A2AError,
  type JsonObject,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from "@assay/protocol";
import { whenAwakeFor } from "@assay/wire/server";
import type { Outcome } from "../definition/call.ts";
import { type Divergence, spec } from "../definition/divergence.ts";
import { answerOf, eachObject, without } from "../mutation/json.ts";
import { changeAnswer, changeParams, type Events, instead, intercept } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";

const sends = ["SendMessage", "SendStreamingMessage"] as const;

const withoutTask = (request: SendMessageRequest): SendMessageRequest => {
  const { taskId: _taskId, ...message } = request.message;
  return { ...request, message };
};

const withoutContext = (request: SendMessageRequest): SendMessageRequest => {
  const { contextId: _contextId, ...message } = request.message;
  return { ...request, message };
};

const taskOf = ({ answer }: { readonly answer?: unknown }): Task | undefined => (answer as SendMessageResponse).task;

/** Remembers the latest start of each context. */
const sameMoment: Divergence = spec(
  "CTX-007.same-moment",
  "Tasks that start in one context at the same moment get the same id.",
  () => {
    const begun = new RecentMap<Promise<string | undefined>>();
    const operations = intercept(["SendMessage"], async ({ request, proceed }) => {
      const { contextId, taskId } = request.message;
      if (!contextId || taskId) return proceed();
      const other = begun.get(contextId);
      const work = proceed();
      if (!other) {
        const named = work.then(
          (outcome) => taskOf(outcome)?.id,
          () => undefined,
        );
        begun.set(contextId, named);
        whenAwakeFor(300, () => begun.delete(contextId));
        return work;
      }
      const [outcome, id] = [await work, await other];
      const task = taskOf(outcome);
      return task && id !== undefined ? { answer: { task: { ...task, id } } } : outcome;
    });
    return { operations };
  },
);

/** Remembers the latest task of each context. */
const sharedTask: Divergence = spec(
  "CTX-019.shared",
  "Two simultaneous messages to one context get the same task.",
  () => {
    const begun = new RecentMap<Promise<Outcome>>();
    const operations = intercept(["SendMessage"], ({ request, proceed }) => {
      const { contextId, taskId } = request.message;
      if (!contextId || taskId) return proceed();
      const other = begun.get(contextId);
      if (other) return other;
      const work = proceed();
      begun.set(contextId, work);
      // A client that retries after a failed task must get the same one.
      whenAwakeFor(3_000, () => begun.delete(contextId));
      return work;
    });
    return { operations };
  },
);

/** Changes the context in the events of a stream. */
async function* inContext(events: Events, contextId: string): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const { task, statusUpdate, artifactUpdate, ...rest } of events) {
    if (task) yield { task: { ...task, contextId } };
    else if (statusUpdate) yield { statusUpdate: { ...statusUpdate, contextId } };
    else if (artifactUpdate) yield { artifactUpdate: { ...artifactUpdate, contextId } };
    else yield rest;
  }
}

/** Remembers the last follow-up message of each task. */
const losesHistory: Divergence = spec(
  "CTX-010.loses-history",
  "Drops the history of a task when a follow-up arrives.",
  () => {
    const continued = new RecentMap<string>();
    const rest = (task: Task): Task => {
      const from = task.history?.findIndex(({ messageId }) => messageId === continued.get(task.id)) ?? -1;
      return from > 0 ? { ...task, history: task.history!.slice(from) } : task;
    };
    const operations = intercept(["SendMessage", "GetTask"], async ({ request, proceed }) => {
      if ("message" in request && request.message.taskId)
        continued.set(request.message.taskId, request.message.messageId);
      const outcome = await proceed();
      if (!("message" in request)) return { answer: rest(outcome.answer as Task) };
      const task = taskOf(outcome);
      return task ? { answer: { task: rest(task) } } : outcome;
    });
    return { operations };
  },
);

export const contextMutants: readonly Divergence[] = [
  spec("CTX-001.hidden", "SendMessage returns a task without contextId.", {
    codec: answerOf("SendMessage", ({ task, ...rest }) =>
      task ? { task: without(task as JsonObject, "contextId"), ...rest } : rest,
    ),
  }),

  spec("CTX-002.replaced", "The agent replaces the contextId of the client with a new one.", {
    operations: changeParams(sends, (request) => (request.message.taskId ? request : withoutContext(request))),
  }),

  spec("CTX-002.follow-up", "Moves a task to a new context when a follow-up names task and context.", {
    operations: intercept(sends, async ({ request, proceed }) => {
      const outcome = await proceed();
      const { taskId, contextId } = request.message;
      if (!taskId || !contextId) return outcome;
      const moved = randomUUID();
      if (outcome.events) return { events: inContext(outcome.events, moved) };
      const task = taskOf(outcome);
      return task ? { answer: { task: { ...task, contextId: moved } } } : outcome;
    }),
  }),

  sameMoment,

  spec("CTX-008.new-task", "SendMessage with an unknown taskId starts a new task.", {
    operations: instead(sends, "TaskNotFound", (_error, { request, proceed }) => proceed(withoutTask(request))),
  }),

  spec("CTX-008.internal", "SendMessage to an unknown task returns an internal error.", {
    operations: instead(sends, "TaskNotFound", () => {
      throw new A2AError("Internal", "The task is null");
    }),
  }),

  spec(
    "CTX-009.keeps-it",
    "SendMessage with an unknown taskId returns an error and still creates a task with that id.",
    {
      operations: instead(sends, "TaskNotFound", async (error, { request, proceed }) => {
        await proceed(request, { clientIds: true });
        throw error;
      }),
    },
  ),

  spec("CTX-010.new-context", "The response to a message with only a taskId is in a new context.", {
    operations: intercept(["SendMessage"], async ({ request, proceed }) => {
      const outcome = await proceed();
      const task = taskOf(outcome);
      const { taskId, contextId } = request.message;
      return task && taskId && !contextId ? { answer: { task: { ...task, contextId: randomUUID() } } } : outcome;
    }),
  }),

  spec("CTX-010.misfiled", "Puts a message that names only a task into a new context.", {
    operations: intercept(["SendMessage"], async ({ request, proceed }) => {
      const outcome = await proceed();
      const task = taskOf(outcome);
      const { messageId, taskId, contextId } = request.message;
      if (!task?.history || !taskId || contextId) return outcome;
      const history = task.history.map((message) =>
        message.messageId === messageId ? { ...message, contextId: randomUUID() } : message,
      );
      return { answer: { task: { ...task, history } } };
    }),
  }),

  losesHistory,

  spec("CTX-011.mismatch", "SendMessage accepts a contextId that differs from that of its task.", {
    operations: changeParams(sends, (request) => (request.message.taskId ? withoutContext(request) : request)),
  }),

  spec("CTX-011.by-stream", "Streams a response to a message whose context is not that of its task.", {
    operations: changeParams(["SendStreamingMessage"], ({ message, ...request }) => {
      const { contextId, ...rest } = message;
      return { ...request, message: message.taskId || !contextId ? rest : { ...rest, contextId } };
    }),
  }),

  spec("CTX-012.old-task", "A message that names a context gets the first task in it.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const { contextId, taskId, referenceTaskIds } = request.message;
      const known =
        contextId && !taskId && !referenceTaskIds ? (await ask("ListTasks", { contextId })).tasks.at(-1) : undefined;
      return known ? { answer: { task: await ask("GetTask", { id: known.id }) } } : proceed();
    }),
  }),

  spec("CTX-012.elsewhere", "A message with only a contextId starts its task in another context.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const { contextId, taskId } = request.message;
      const isKnown = contextId && !taskId && (await ask("ListTasks", { contextId })).tasks.length > 0;
      return proceed(isKnown ? withoutContext(request) : request);
    }),
  }),

  spec("CTX-013.second-task", "The reply to a question starts a second task, and the first stays INPUT_REQUIRED.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && !contextId ? await ask("GetTask", { id: taskId }) : undefined;
      if (task?.status.state !== "TASK_STATE_INPUT_REQUIRED") return proceed();
      const { message } = withoutTask(request);
      const parts = [{ text: "task-lifecycle anew" }];
      return proceed({ ...request, message: { ...message, parts, contextId: task.contextId! } });
    }),
  }),

  spec("CTX-013.both-names", "Rejects a message that names both a task and its context.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && contextId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      if (!task || task.contextId !== contextId) return proceed();
      throw new A2AError("InvalidParams", "Only one of taskId and contextId can be given");
    }),
  }),

  spec("CTX-013.by-stream", "A streamed reply to a question starts another task.", {
    operations: intercept(["SendStreamingMessage"], async ({ request, proceed, ask }) => {
      const { taskId, ...message } = request.message;
      const task = taskId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      const isAnswer = task?.status.state === "TASK_STATE_INPUT_REQUIRED" && message.contextId === task.contextId;
      return isAnswer
        ? proceed({ ...request, message: { ...message, parts: [{ text: "task-lifecycle anew" }] } })
        : proceed();
    }),
  }),

  spec("CTX-013.wants-context", "Rejects a reply to its question that names only the task.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && !contextId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      if (task?.status.state !== "TASK_STATE_INPUT_REQUIRED") return proceed();
      throw new A2AError("InvalidParams", "contextId is missing");
    }),
  }),

  spec("CTX-013.still-waiting", "Ignores the reply to its question and keeps waiting.", {
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const { taskId, contextId } = request.message;
      const task = taskId && !contextId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      return task?.status.state === "TASK_STATE_INPUT_REQUIRED" ? { answer: { task } } : proceed();
    }),
  }),

  spec("CTX-015.refuses", "The agent rejects messages with referenceTaskIds.", {
    operations: intercept(sends, async ({ request, proceed }) => {
      if (!request.message.referenceTaskIds?.length) return proceed();
      throw new A2AError("InvalidParams", "There is no field referenceTaskIds");
    }),
  }),

  spec("CTX-005.forgets", "The response to a message in a known context ignores that context.", {
    async *events(events) {
      const parts = [{ text: "[recall] Nothing yet." }];
      for await (const event of events)
        yield event.is === "artifact" && event.name === "memory" ? { ...event, parts } : event;
    },
  }),

  spec("CTX-014.breaks-down", "A message to a working task gets an internal error.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId } = request.message;
      const task = taskId ? await ask("GetTask", { id: taskId }).catch(() => undefined) : undefined;
      if (task?.status.state !== "TASK_STATE_WORKING") return proceed();
      throw new A2AError("Internal", "Deadlock found when trying to get lock");
    }),
  }),

  sharedTask,

  spec("CTX-020.phantom-task", "A direct Message has a taskId that GetTask does not find.", {
    operations: changeAnswer(["SendMessage"], (answer) => {
      const { message } = answer;
      return message ? { message: { ...message, taskId: randomUUID() } } : answer;
    }),
  }),

  spec("CTX-018.other-task", "The status message of a task names another task.", {
    codec: (json) =>
      eachObject(json, (object) =>
        object["state"] && object["message"]
          ? { ...object, message: { ...(object["message"] as JsonObject), taskId: "another-task" } }
          : object,
      ),
  }),
];

import {
  A2AError,
  isObject,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type ListTasksRequest,
  type SendMessageConfiguration,
  type StreamResponse,
  type Task,
} from "@assay/protocol";
import { type Divergence, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { status } from "../definition/skill.ts";
import { eachObject, without } from "../mutation/json.ts";
import {
  changeParams,
  changeStream,
  type Events,
  type InterceptedOperation,
  instead,
  intercept,
  orElse,
} from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { eachSkillEvent } from "../mutation/streams.ts";
import { chanceFrom } from "./chance.ts";

/** Task behaviour where the specification leaves a choice. */

const sends = ["SendMessage", "SendStreamingMessage"] as const;
const streams = ["SendStreamingMessage", "SubscribeToTask"] as const;

const stateIn = ({ task, statusUpdate }: StreamResponse) => (statusUpdate ?? task)?.status.state;

/**
 * Waits until the task continues and sends the rest; if it has continued already, its current state comes
 * first (AMB-07).
 */
async function* onceItGoesOn(id: string, { follow, ask }: InterceptedOperation<(typeof streams)[number]>) {
  const ended = async function* (): AsyncGenerator<StreamResponse> {
    yield { task: await ask("GetTask", { id }) };
  };
  const events: Events = await orElse(follow("SubscribeToTask", { id }), "UnsupportedOperation", ended);
  for await (const event of events) if (event.task?.status.state !== "TASK_STATE_INPUT_REQUIRED") yield event;
}

const changeHistory = (json: JsonValue, change: (task: JsonObject) => JsonObject): JsonValue =>
  eachObject(json, (object) => (Array.isArray(object["history"]) ? change(object) : object));

/** Records which tasks are streamed, and rejects a second stream. */
function oneStream(): Layers {
  const busy = new RecentSet();
  const occupying = async function* (events: Events): AsyncGenerator<StreamResponse, void, undefined> {
    let id: string | undefined;
    try {
      for await (const event of events) {
        id ??= event.task?.id;
        if (id !== undefined) busy.add(id);
        yield event;
      }
    } finally {
      if (id !== undefined) busy.delete(id);
    }
  };
  return {
    operations: intercept(streams, async ({ operation, request, proceed }) => {
      if (operation === "SubscribeToTask" && "id" in request && busy.has(request.id))
        throw new A2AError("UnsupportedOperation", "Another client has a stream of this task");
      const { events } = await proceed();
      return { events: occupying(events!) };
    }),
  };
}

/** Returns the task id of an object. */
const idIn = ({ id, taskId }: JsonObject): JsonValue | undefined => taskId ?? id;

/** Changes the state canceled to completed in a task or update. */
function completed(object: JsonObject): JsonObject {
  const { status } = object;
  if (!isObject(status) || status["state"] !== "TASK_STATE_CANCELED") return object;
  return { ...object, status: { ...status, state: "TASK_STATE_COMPLETED" } };
}

export const taskVariants: readonly Divergence[] = [
  // AMB-07, §11.7: a stream may close with the current task.
  spec("closing-snapshot", "Each stream ends with the whole task after the final status.", {
    operations: changeStream(streams, async function* (events, { ask }) {
      let id: string | undefined;
      for await (const event of events) {
        id ??= event.task?.id;
        yield event;
        const state = stateIn(event);
        if (id !== undefined && state && isTerminal(state)) yield { task: await ask("GetTask", { id }) };
      }
    }),
  }),

  // SUB-007, §3.1.2: updates are optional, and a final Task may contain more than they did.
  spec("artifacts-at-the-close", "Streams show artifacts only in the Task that closes them.", {
    operations: changeStream(streams, async function* (events, { ask }) {
      let id: string | undefined;
      for await (const event of events) {
        id ??= event.task?.id;
        if (!event.artifactUpdate) yield event;
        const state = stateIn(event);
        if (id !== undefined && state && isTerminal(state)) yield { task: await ask("GetTask", { id }) };
      }
    }),
  }),

  // Any intermediary may cut a stream. The task continues and can be read.
  spec("cut-stream", "The first stream breaks off in the middle, and its task continues.", () => {
    let streams = 0;
    return {
      operations: changeStream(["SendStreamingMessage"], async function* (events, { request }) {
        const isCut = /^streaming\b/.test(request.message.parts[0]?.text ?? "") && streams++ === 0;
        for await (const event of events) {
          yield event;
          if (isCut && event.artifactUpdate) return;
        }
      }),
    };
  }),

  // AMB-06: §3.1.2 and §3.1.6 require closing only at terminal states.
  spec("open-at-input-required", "A stream stays open while the agent waits for input.", {
    operations: changeStream(streams, async function* (events, asked) {
      let id: string | undefined;
      let state: ReturnType<typeof stateIn>;
      for (let heard = events; ; heard = onceItGoesOn(id, asked)) {
        for await (const event of heard) {
          id ??= event.task?.id;
          state = stateIn(event) ?? state;
          yield event;
        }
        // Stop if the client has disconnected, because every further subscription would be empty.
        if (id === undefined || state !== "TASK_STATE_INPUT_REQUIRED" || asked.invocation.client.signal.aborted) return;
      }
    }),
  }),

  // STREAM-014: an agent may allow several streams for one task, but need not.
  spec("one-stream", "A client cannot subscribe to a task that is streamed to another client.", oneStream),

  // AMB-42: the specification does not say that an artifact needs lastChunk.
  spec("no-last-chunk", "No artifact chunk has lastChunk.", {
    events: eachSkillEvent((event) => (event.is === "artifact" ? { ...event, lastChunk: false } : event)),
  }),

  // §3.5.2: a task that fails in any case does not fail because its client disconnects.
  spec("fails-every-task", "Every task ends as failed, whether its client listens or not.", {
    events: eachSkillEvent((event) =>
      event.is === "status" && event.state === "TASK_STATE_COMPLETED"
        ? { ...event, state: "TASK_STATE_FAILED" }
        : event,
    ),
  }),

  // AMB-12, A11: JS 1.3.0 does this.
  spec("cancel-twice", "Canceling a canceled task returns the task again.", {
    operations: instead(["CancelTask"], "TaskNotCancelable", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_CANCELED") throw error;
      return { answer: task };
    }),
  }),

  // AMB-12, A40: the specification only calls the state that a cancel returns "updated".
  spec("cancel-later", "CancelTask returns the task unchanged, and it is canceled a moment later.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (isTerminal(task.status.state)) return proceed();
      // The task may end by itself meanwhile. Then there is nothing to cancel.
      setTimeout(() => proceed().catch(() => {}), 100);
      return { answer: task };
    }),
  }),

  // §3.1.5: a cancel may fail, because the task might have completed already.
  spec(
    "late-cancel",
    "The first cancel races with the completion of its task. Every other cancel takes effect.",
    () => {
      let late: string | undefined;
      return {
        operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
          const task = await ask("GetTask", { id: request.id });
          if (!isTerminal(task.status.state)) late ??= request.id;
          return proceed();
        }),
        codec: (json) => eachObject(json, (object) => (idIn(object) === late ? completed(object) : object)),
      };
    },
  ),

  // The specification does not limit the duration of a task.
  spec("random-durations", "Slow tasks take a random time between 0.3 and 60 seconds.", (seed) => {
    let turn = 0;
    const anyTime = (text: string): string =>
      text.replace(/^slow [\d.]+/, () => `slow ${chanceFrom(seed, turn++).between(3, 600) / 10}`);
    const operations = changeParams(sends, ({ message, ...request }) => ({
      ...request,
      message: {
        ...message,
        parts: message.parts.map((part) => (part.text ? { ...part, text: anyTime(part.text) } : part)),
      },
    }));
    return { operations };
  }),

  // §3.4.3: a task may ask for input as often as necessary.
  spec("asks-again", "Asks a second question before it continues a task after input.", {
    async *events(events, { task }) {
      const said = (task?.history ?? []).filter(({ role }) => role === "ROLE_USER").length;
      if (task?.status.state !== "TASK_STATE_INPUT_REQUIRED" || said > 2) return yield* events;
      yield status("input-required", "And what else?");
    },
  }),

  // §3.7: the agent decides which history it keeps.
  spec("twice-in-history", "GetTask returns every history message twice.", {
    operations: intercept(["GetTask"], async ({ request: { historyLength, ...request }, proceed }) => {
      const { history = [], ...task } = (await proceed(request)).answer as Task;
      if (history.length === 0 || historyLength === 0) return { answer: task };
      const twice = history.flatMap((message) => [message, message]);
      return { answer: { ...task, history: twice.slice(-(historyLength ?? twice.length)) } };
    }),
  }),

  // AMB-37: the specification does not define the order of the history.
  spec("newest-first", "History starts with the latest message.", {
    codec: (json) =>
      changeHistory(json, (task) => ({ ...task, history: (task["history"] as JsonValue[]).toReversed() })),
  }),

  // AMB-37, A12, HIST-005: the agent decides how much history it stores.
  spec("no-history", "Tasks are returned without their history.", {
    codec: (json) => changeHistory(json, (task) => without(task, "history")),
  }),

  // LIST-007: the page limit shows only on an agent with many tasks.
  spec("many-tasks", "Has more tasks than fit on a page, like an agent in long use.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      const isWhole = !request.contextId && !request.pageToken;
      for (let count = isWhole ? (await ask("ListTasks", {})).totalSize : 60; count < 60; count++) {
        const parts = [{ text: "task-lifecycle one of many" }];
        await ask("SendMessage", { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts } });
      }
      return proceed();
    }),
  }),

  // AMB-31: the specification does not say whether to reject or to clamp it.
  spec("clamps", "A page size out of range is clamped to the nearest valid one.", {
    operations: changeParams(["ListTasks"], (request): ListTasksRequest => {
      const { pageSize, ...rest } = request;
      return pageSize === undefined ? rest : { ...rest, pageSize: Math.min(Math.max(pageSize, 1), 100) };
    }),
  }),

  // LIST-018: the specification does not define which times are valid, and no task has changed since a future time.
  spec("past-times", "Rejects a statusTimestampAfter in the future as invalid.", {
    operations: intercept(["ListTasks"], ({ request, proceed }) => {
      const since = Date.parse(request.statusTimestampAfter ?? "");
      if (since > Date.now()) throw new A2AError("InvalidParams", "statusTimestampAfter is in the future");
      return proceed();
    }),
  }),

  // AMB-20, A37: all examined SDKs do this.
  spec("ignores-inline-push", "Ignores a push configuration in a message, because it has no push.", {
    operations: changeParams(sends, ({ configuration, ...request }) => {
      if (!configuration) return request;
      const { taskPushNotificationConfig: _config, ...rest } = configuration;
      return { ...request, configuration: rest satisfies SendMessageConfiguration };
    }),
  }),
];

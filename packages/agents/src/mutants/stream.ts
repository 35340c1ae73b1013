import { A2AError, isTerminal, type StreamResponse, type Task } from "@assay/protocol";
import { minimal, spec } from "../definition/divergence.ts";
import { single } from "../engine/streams.ts";
import { changeStream, instead, intercept, keepEvents, refuseAs, staysOpenAfter } from "../mutation/operations.ts";
import { nothing } from "../mutation/streams.ts";

const streams = ["SendStreamingMessage"] as const;

const isEnd = ({ statusUpdate }: StreamResponse): boolean =>
  statusUpdate !== undefined && isTerminal(statusUpdate.status.state);

/** Violations in how streams open, continue or close. */
export const streamMutants = [
  spec("STREAM-001.one-document", "SendStreamingMessage returns one JSON document instead of a stream.", {
    operations: intercept(streams, async ({ request, ask }) => ({ answer: await ask("SendMessage", request) })),
  }),

  spec("STREAM-002.stays-open", "The stream stays open after the Message.", {
    operations: staysOpenAfter(streams, (event) => event.message !== undefined),
  }),

  spec("STREAM-002.says-it-twice", "Streams a direct message twice.", {
    operations: changeStream(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (event.message) yield event;
      }
    }),
  }),

  spec("STREAM-003.status-first", "The stream starts with a status update, without a Task before it.", {
    operations: keepEvents(streams, (event) => !event.task),
  }),

  spec("STREAM-003.follow-up", "The stream of a follow-up starts with an artifact instead of the task.", {
    operations: changeStream(streams, async function* (events, { request }) {
      const { taskId, contextId = "" } = request.message;
      if (!taskId) return yield* events;
      const artifact = { artifactId: "early", parts: [{ text: "Here is a first draft." }] };
      yield { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } };
      for await (const event of events) if (!event.task) yield event;
    }),
  }),

  spec("STREAM-004.chats", "The stream of a task contains a Message.", {
    operations: changeStream(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (!event.task) continue;
        const { id: taskId, contextId = "" } = event.task;
        const parts = [{ text: "Working on it." }];
        yield { message: { messageId: `chat-${taskId}`, taskId, contextId, role: "ROLE_AGENT", parts } };
      }
    }),
  }),

  spec("STREAM-005.stays-open", "The stream stays open after the task has ended.", {
    operations: staysOpenAfter(streams, isEnd),
  }),

  spec("STREAM-005.failed-stays-open", "The stream stays open after its task has failed.", {
    operations: staysOpenAfter(streams, (event) => event.statusUpdate?.status.state === "TASK_STATE_FAILED"),
  }),

  spec("STREAM-005.canceled-stays-open", "The stream stays open after its task was canceled.", {
    operations: staysOpenAfter(streams, (event) => event.statusUpdate?.status.state === "TASK_STATE_CANCELED"),
  }),

  spec("STREAM-006.no-ending", "The stream closes without reporting the terminal state.", {
    operations: keepEvents(streams, (event) => !isEnd(event)),
  }),

  spec("STREAM-006.fails-silently", "The stream closes without reporting that the task failed.", {
    operations: keepEvents(streams, (event) => event.statusUpdate?.status.state !== "TASK_STATE_FAILED"),
  }),

  spec("STREAM-007.late-status", "The stream reports WORKING after COMPLETED.", {
    operations: changeStream(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (!isEnd(event)) continue;
        const { statusUpdate } = event;
        const late = { ...statusUpdate!.status, state: "TASK_STATE_WORKING" } as const;
        yield { statusUpdate: { ...statusUpdate!, status: late } };
      }
    }),
  }),

  spec("STREAM-007.late-artifact", "Streams the last chunk of an artifact after the end of its task.", {
    operations: changeStream(streams, async function* (told) {
      let held: StreamResponse | undefined;
      for await (const event of told) {
        if (event.artifactUpdate?.lastChunk) held = event;
        else yield event;
      }
      if (held) yield held;
    }),
  }),

  minimal("STREAM-015.streams-anyway", "SendStreamingMessage works although the card says streaming: false.", {
    operations: intercept(streams, async ({ request, ask }) => {
      const { task, message } = await ask("SendMessage", request);
      return { events: single(task ? { task } : { message: message! }) };
    }),
  }),

  minimal("STREAM-015.one-document", "SendStreamingMessage returns plain JSON on an agent without streaming.", {
    operations: intercept(streams, async ({ request, ask }) => ({ answer: await ask("SendMessage", request) })),
  }),

  minimal("STREAM-015.unknown", "SendStreamingMessage is an unknown method on an agent that does not stream.", {
    operations: intercept(streams, async () => {
      throw new A2AError("MethodNotFound", "Method not found");
    }),
  }),

  spec("STREAM-016.empty", "SendStreamingMessage to a completed task returns an empty stream.", {
    operations: instead(streams, "UnsupportedOperation", () => ({ events: nothing() })),
  }),

  spec("STREAM-016.failed-too", "A streamed message to a failed task gets a stream instead of an error.", {
    operations: instead(streams, "UnsupportedOperation", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.message.taskId! });
      if (task.status.state !== "TASK_STATE_FAILED") throw error;
      return { events: single({ task }) };
    }),
  }),

  spec("STREAM-017.new-task", "SendStreamingMessage with an unknown taskId streams a new task.", {
    operations: instead(streams, "TaskNotFound", (_error, { request, proceed }) => {
      const { taskId: _taskId, ...message } = request.message;
      return proceed({ ...request, message });
    }),
  }),

  spec("STREAM-018.breaks-down", "SendStreamingMessage with an unsupported media type returns an internal error.", {
    operations: refuseAs(streams, "ContentTypeNotSupported", "Internal"),
  }),

  spec("STREAM-018.breaks-off", "The stream closes without an error when the media type is unsupported.", {
    operations: instead(streams, "ContentTypeNotSupported", () => ({ events: nothing() })),
  }),

  spec("STREAM-020.one-burst", "The stream delivers all events in one burst when the task has ended.", {
    operations: changeStream(streams, async function* (events) {
      const held: StreamResponse[] = [];
      for await (const event of events) held.push(event);
      yield* held;
    }),
  }),

  spec("STREAM-023.silent", "The stream closes without reporting INPUT_REQUIRED.", {
    operations: keepEvents(streams, (event) => event.statusUpdate?.status.state !== "TASK_STATE_INPUT_REQUIRED"),
  }),

  spec("STREAM-023.stays-open", "The stream stays open after INPUT_REQUIRED.", {
    operations: staysOpenAfter(streams, (event) => event.statusUpdate?.status.state === "TASK_STATE_INPUT_REQUIRED"),
  }),

  spec("STREAM-024.old-snapshot", "The Task that closes a stream still has the state from the start.", {
    operations: changeStream(streams, async function* (events) {
      let opening: Task | undefined;
      for await (const event of events) {
        opening ??= event.task;
        yield event;
        if (opening && isEnd(event)) yield { task: opening };
      }
    }),
  }),
];

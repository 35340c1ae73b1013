import { A2AError, isTerminal, type JsonObject, type StreamResponse, type Task } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { replyWith } from "../bending/http.ts";
import { answerOf, events, inJson } from "../bending/json.ts";
import { type Asked, type Events, instead, orElse, retell } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

const streams = ["SendStreamingMessage"] as const;
const allStreams = ["SendStreamingMessage", "SubscribeToTask"] as const;

const isEnd = ({ statusUpdate }: StreamResponse): boolean =>
  statusUpdate !== undefined && isTerminal(statusUpdate.status.state);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

async function* nothing(): AsyncGenerator<StreamResponse> {}

/** The second chunk of an artifact is told behind the third. */
async function* shuffled(events: Events): AsyncGenerator<StreamResponse> {
  let held: StreamResponse | undefined;
  let done = false;
  for await (const event of events) {
    if (event.artifactUpdate?.append && !held && !done) held = event;
    else {
      yield event;
      if (!held) continue;
      yield held;
      held = undefined;
      done = true;
    }
  }
}

/** Over HTTP+JSON, those who subscribe get the artifacts behind everything else. */
const artifactsLast =
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(
      request,
      !request.path.endsWith(":subscribe")
        ? reply
        : replyWith(reply, {
            events(headers) {
              const stream = reply.events(headers);
              const held: string[] = [];
              return {
                send: (data) => (data.includes('"artifactUpdate"') ? void held.push(data) : stream.send(data)),
                end() {
                  for (const data of held) stream.send(data);
                  stream.end();
                },
                signal: stream.signal,
                get closed() {
                  return stream.closed;
                },
              };
            },
          }),
    );

async function* withoutArtifacts(events: Events): AsyncGenerator<StreamResponse> {
  for await (const event of events) if (!event.artifactUpdate) yield event;
}

/** Streams go on until one of those who follow the task leaves; `closers` ends all streams of a task at once. */
async function* untilOneLeaves(
  events: Events,
  { invocation }: Asked<(typeof allStreams)[number]>,
  closers: Map<string, AbortController>,
) {
  const source = events[Symbol.asyncIterator]();
  let closer: AbortController | undefined;
  let left: Promise<undefined> | undefined;
  for (;;) {
    const next = source.next();
    const outcome = await (left ? Promise.race([next, left]) : next);
    if (!outcome || outcome.done) return;
    const id = outcome.value.task?.id;
    if (!closer && id !== undefined) {
      closer = closers.get(id) ?? new AbortController();
      closers.set(id, closer);
      const { signal } = closer;
      left = aborted(signal).then(() => undefined);
      invocation.signal.addEventListener("abort", () => closer?.abort());
    }
    yield outcome.value;
  }
}

export const streamMutants = [
  mutant("STREAM-001.one-document", "spec", "Answers a stream with one document: the task when it has ended.", {
    operations: instead(streams, async ({ request, ask }) => ({ answer: await ask("SendMessage", request) })),
  }),

  mutant("STREAM-002.stays-open", "spec", "Keeps a stream open behind the message that is all of it.", {
    operations: retell(streams, async function* (events, { invocation }) {
      let isMessage = false;
      for await (const event of events) {
        isMessage = event.message !== undefined;
        yield event;
      }
      if (isMessage) await aborted(invocation.signal);
    }),
  }),

  mutant("STREAM-002.says-it-twice", "spec", "Streams a direct answer twice.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (event.message) yield event;
      }
    }),
  }),

  mutant("STREAM-003.status-first", "spec", "Never introduces the task: the stream starts with a status.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) if (!event.task) yield event;
    }),
  }),

  mutant("STREAM-004.chats", "spec", "Says something in a message of its own while it streams a task.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (!event.task) continue;
        const { id: taskId, contextId = "" } = event.task;
        const parts = [{ text: "Working on it." }];
        yield { message: { messageId: `chat-${taskId}`, taskId, contextId, role: "ROLE_AGENT", parts } };
      }
    }),
  }),

  mutant("STREAM-005.stays-open", "spec", "Keeps the stream open after the task has ended.", {
    operations: retell(streams, async function* (events, { invocation }) {
      let ended = false;
      for await (const event of events) {
        ended = isEnd(event);
        yield event;
      }
      if (ended) await aborted(invocation.signal);
    }),
  }),

  mutant("STREAM-006.no-ending", "spec", "Closes the stream without having told how the task ended.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) if (!isEnd(event)) yield event;
    }),
  }),

  mutant("STREAM-007.late-status", "spec", "Reports that it is working after it has reported the end.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) {
        yield event;
        if (!isEnd(event)) continue;
        const { statusUpdate } = event;
        const late = { ...statusUpdate!.status, state: "TASK_STATE_WORKING" } as const;
        yield { statusUpdate: { ...statusUpdate!, status: late } };
      }
    }),
  }),

  mutant("STREAM-008.bare", "spec", "Streams artifact updates without saying that they are some.", {
    codec: inJson(events(({ artifactUpdate, ...event }) => (artifactUpdate ?? event) as JsonObject)),
  }),

  mutant("STREAM-009.shuffled", "spec", "Streams the chunks of an artifact in another order than it makes them.", {
    operations: retell(streams, shuffled),
  }),

  mutant("STREAM-010.artifacts-last", "spec", "Tells subscribers over HTTP+JSON of artifacts when all else is told.", {
    http: artifactsLast,
  }),

  mutant("STREAM-011.first-come", "spec", "Tells only every other subscriber of a task about its artifacts.", {
    operations: (perform) => {
      const subscribers = new Map<string, number>();
      return retell(["SubscribeToTask"], async function* (events, { request: { id } }) {
        const before = subscribers.get(id) ?? 0;
        subscribers.set(id, before + 1);
        yield* before % 2 ? withoutArtifacts(events) : events;
      })(perform);
    },
  }),

  mutant("STREAM-012.all-hang-up", "spec", "Closes all streams of a task when one of its clients goes away.", {
    operations: (perform) => {
      const closers = new Map<string, AbortController>();
      return retell(allStreams, (events, asked) => untilOneLeaves(events, asked, closers))(perform);
    },
  }),

  mutant("STREAM-013.dies-with-client", "spec", "Cancels the task when the client that streams it goes away.", {
    operations: retell(streams, async function* (events, { invocation, ask }) {
      let id: string | undefined;
      invocation.signal.addEventListener("abort", () => {
        // It may have ended in the same moment; then there is nothing to spoil.
        if (id !== undefined) ask("CancelTask", { id }).catch(() => {});
      });
      for await (const event of events) {
        id ??= event.task?.id;
        yield event;
      }
    }),
  }),

  mutant("STREAM-015.streams-anyway", "minimal", "Streams although its card says that it does not.", {
    operations: instead(streams, async ({ request, ask }) => {
      const { task, message } = await ask("SendMessage", request);
      return {
        events: (async function* () {
          yield task ? { task } : { message: message! };
        })(),
      };
    }),
  }),

  mutant("STREAM-016.empty", "spec", "Opens a stream for a message to an ended task, and says nothing on it.", {
    operations: instead(streams, ({ proceed }) =>
      orElse(proceed(), "UnsupportedOperation", () => ({ events: nothing() })),
    ),
  }),

  mutant("STREAM-017.new-task", "spec", "Streams a new task for a message to one that does not exist.", {
    operations: instead(streams, ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => {
        const { taskId: _taskId, ...message } = request.message;
        return proceed({ ...request, message });
      }),
    ),
  }),

  mutant("STREAM-018.breaks-down", "spec", "Breaks down when it is to stream for a media type it does not know.", {
    operations: instead(streams, ({ proceed }) =>
      orElse(proceed(), "ContentTypeNotSupported", ({ message }) => {
        throw new A2AError("Internal", message);
      }),
    ),
  }),

  mutant("STREAM-019.no-context", "spec", "Leaves contextId out of the updates of a stream.", {
    codec: events((event) => {
      const [[kind, update] = ["", {}]] = Object.entries(event as Record<string, JsonObject>);
      if (!kind.endsWith("Update")) return event;
      const { contextId: _contextId, ...rest } = update;
      return { [kind]: rest };
    }),
  }),

  mutant("STREAM-020.one-burst", "spec", "Holds all events back until the task has ended.", {
    operations: retell(streams, async function* (events) {
      const held: StreamResponse[] = [];
      for await (const event of events) held.push(event);
      yield* held;
    }),
  }),

  mutant("STREAM-021.last-chunk-kept", "spec", "Keeps only the last chunk of an artifact.", {
    codec: answerOf("GetTask", ({ artifacts, ...task }) =>
      artifacts
        ? {
            ...task,
            artifacts: (artifacts as JsonObject[]).map((each) => ({
              ...each,
              parts: (each["parts"] as JsonObject[]).slice(-1),
            })),
          }
        : task,
    ),
  }),

  mutant("STREAM-022.every-chunk-last", "spec", "Calls every chunk of an artifact the last one.", {
    async *events(events) {
      for await (const event of events) yield event.is === "artifact" ? { ...event, lastChunk: true } : event;
    },
  }),

  mutant("STREAM-023.silent", "spec", "Closes a stream without having told that it waits for the user.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) {
        if (event.statusUpdate?.status.state !== "TASK_STATE_INPUT_REQUIRED") yield event;
      }
    }),
  }),

  mutant("STREAM-024.old-snapshot", "spec", "Closes its streams with the task as it was when they began.", {
    operations: retell(streams, async function* (events) {
      let opening: Task | undefined;
      for await (const event of events) {
        opening ??= event.task;
        yield event;
        if (opening && isEnd(event)) yield { task: opening };
      }
    }),
  }),
];

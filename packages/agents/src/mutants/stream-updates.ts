import type { JsonObject, StreamResponse } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { replyWith } from "../mutation/http.ts";
import { answerOf, events, inJson } from "../mutation/json.ts";
import { changeEvents, changeStream, type Events } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";
import { eachSkillEvent, gone } from "../mutation/streams.ts";

const streams = ["SendStreamingMessage"] as const;

/** Sends the second chunk of an artifact after the third. */
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

/** Reports a working task as submitted, and then as working again. */
async function* queuedAgain(events: Events): AsyncGenerator<StreamResponse> {
  for await (const event of events) {
    yield event;
    const { statusUpdate } = event;
    if (statusUpdate?.status.state !== "TASK_STATE_WORKING") continue;
    yield { statusUpdate: { ...statusUpdate, status: { ...statusUpdate.status, state: "TASK_STATE_SUBMITTED" } } };
    yield event;
  }
}

/** Violations in stream events: their format, their ids, and the chunks of artifacts. */
export const streamUpdateMutants = [
  spec("STREAM-008.bare", "Artifact updates in a stream have no artifactUpdate wrapper.", {
    codec: inJson(events(({ artifactUpdate, ...event }) => (artifactUpdate ?? event) as JsonObject)),
  }),

  spec("STREAM-008.two-in-one", "Streams the whole task with every status update.", {
    codec: inJson(
      events((event) => {
        const { taskId, contextId, status } = (event["statusUpdate"] ?? {}) as JsonObject;
        return status ? { ...event, task: { id: taskId!, contextId: contextId!, status } } : event;
      }),
    ),
  }),

  spec(
    "STREAM-009.shuffled",
    "The stream delivers the chunks of an artifact in another order than the agent created them.",
    {
      operations: changeStream(streams, shuffled),
    },
  ),

  spec("STREAM-009.queued-again", "Reports a working task as submitted again.", {
    operations: changeStream(streams, queuedAgain),
  }),

  spec("STREAM-019.no-context", "Updates in a stream have no contextId.", {
    codec: events((event) => {
      const [[kind, update] = ["", {}]] = Object.entries(event as Record<string, JsonObject>);
      if (!kind.endsWith("Update")) return event;
      const { contextId: _contextId, ...rest } = update;
      return { [kind]: rest };
    }),
  }),

  spec("STREAM-019.other-context", "Artifact updates have another contextId than the task.", {
    operations: changeEvents(streams, (event) => {
      const { artifactUpdate } = event;
      return artifactUpdate ? { artifactUpdate: { ...artifactUpdate, contextId: "somewhere-else" } } : event;
    }),
  }),

  spec("STREAM-021.last-chunk-kept", "GetTask shows only the last chunk of a streamed artifact.", {
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

  spec("STREAM-021.never-appends", "Every artifact chunk has append: false.", {
    operations: changeEvents(streams, (event) => {
      const { append: _append, ...update } = event.artifactUpdate ?? {};
      return event.artifactUpdate ? { artifactUpdate: { ...event.artifactUpdate, ...update, append: false } } : event;
    }),
  }),

  spec("STREAM-022.every-chunk-last", "Every chunk of an artifact has lastChunk: true.", {
    events: eachSkillEvent((event) => (event.is === "artifact" ? { ...event, lastChunk: true } : event)),
  }),
];

/** Sends artifacts last to subscribers over HTTP+JSON. */
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

/** Counts the subscribers of a task. */
function everyOtherSubscriber(): Layers {
  const subscribers = new RecentMap<number>();
  return {
    operations: changeStream(["SubscribeToTask"], async function* (events, { request: { id } }) {
      const before = subscribers.get(id) ?? 0;
      subscribers.set(id, before + 1);
      yield* before % 2 ? withoutArtifacts(events) : events;
    }),
  };
}

/** Ends all streams of a task at once. */
function closingTogether(): Layers {
  const closers = new RecentMap<AbortController>();
  return {
    operations: changeStream(["SendStreamingMessage", "SubscribeToTask"], async function* (events, { invocation }) {
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
          left = gone(closer.signal).then(() => undefined);
          invocation.client.signal.addEventListener("abort", () => closer?.abort());
        }
        yield outcome.value;
      }
    }),
  };
}

/** Violations that depend on other current or past listeners. */
export const streamClientMutants = [
  spec("STREAM-010.artifacts-last", "Subscribers over HTTP+JSON get all artifact updates after all status updates.", {
    http: artifactsLast,
  }),

  spec("STREAM-011.first-come", "Only every second subscriber of a task gets its artifacts.", everyOtherSubscriber),

  spec(
    "STREAM-012.all-hang-up",
    "The agent closes all streams of a task when one client disconnects.",
    closingTogether,
  ),

  spec("STREAM-013.dies-with-client", "The agent cancels a task when the client of its stream disconnects.", {
    operations: changeStream(["SendStreamingMessage"], async function* (events, { invocation, ask }) {
      let id: string | undefined;
      invocation.client.signal.addEventListener("abort", () => {
        // It may have ended at the same time; then there is nothing to cancel.
        if (id !== undefined) ask("CancelTask", { id }).catch(() => {});
      });
      for await (const event of events) {
        id ??= event.task?.id;
        yield event;
      }
    }),
  }),
];

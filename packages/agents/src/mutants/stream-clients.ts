import type { StreamResponse } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { replyWith } from "../mutation/http.ts";
import { changeStream, type Events } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";
import { gone } from "../mutation/streams.ts";

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

/** Counts who has subscribed to a task. */
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

/** Keeps for each task what ends all of its streams at once. */
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

/** Streams that depend on who else is, or was, listening. */
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
        // It may have ended in the same moment; then there is nothing to spoil.
        if (id !== undefined) ask("CancelTask", { id }).catch(() => {});
      });
      for await (const event of events) {
        id ??= event.task?.id;
        yield event;
      }
    }),
  }),
];

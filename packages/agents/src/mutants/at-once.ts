import type { StreamResponse } from "@assay/protocol";
import { whenAwakeFor } from "@assay/wire/server";
import type { Outcome } from "../definition/call.ts";
import { spec, spec01 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeStream, type Events, intercept } from "../mutation/operations.ts";

/** Agents that serve one client well, but mix up concurrent clients. */

const sends = ["SendMessage", "SendStreamingMessage"] as const;
const momentMs = 300;

/** The latest start in a context that its client named, for a moment. */
interface Begun {
  readonly contextId: string;
  /** its task, as soon as there is one */
  readonly id: Promise<string | undefined>;
}

/** Passes concurrent starts in other contexts to `mixUp`. */
function atTheSameMoment(
  mixUp: (other: Begun, proceed: (contextId?: string) => Promise<Outcome>) => Promise<Outcome>,
): Layers {
  let last: Begun | undefined;
  return {
    operations: intercept(sends, async ({ request, proceed }) => {
      const { contextId, taskId } = request.message;
      if (!contextId || taskId) return proceed();
      const other = last && last.contextId !== contextId ? last : undefined;
      if (other) {
        return mixUp(other, (context) =>
          proceed(
            context === undefined ? request : { ...request, message: { ...request.message, contextId: context } },
          ),
        );
      }
      let named: (id: string | undefined) => void = () => {};
      const begun = { contextId, id: new Promise<string | undefined>((resolve) => (named = resolve)) };
      last = begun;
      whenAwakeFor(momentMs, () => {
        if (last === begun) last = undefined;
      });
      try {
        const { answer, events } = await proceed();
        if (events) return { events: noting(events, named) };
        named((answer as StreamResponse).task?.id);
        return { answer };
      } catch (error) {
        named(undefined);
        throw error;
      }
    }),
  };
}

async function* noting(events: Events, named: (id: string | undefined) => void): AsyncGenerator<StreamResponse> {
  for await (const event of events) {
    named(event.task?.id);
    yield event;
  }
}

const withId = ({ task, statusUpdate, artifactUpdate, ...rest }: StreamResponse, id: string): StreamResponse => ({
  ...rest,
  ...(task && { task: { ...task, id } }),
  ...(statusUpdate && { statusUpdate: { ...statusUpdate, taskId: id } }),
  ...(artifactUpdate && { artifactUpdate: { ...artifactUpdate, taskId: id } }),
});

async function* underId(events: Events, id: string): AsyncGenerator<StreamResponse> {
  for await (const event of events) yield withId(event, id);
}

const sharedId = (): Layers =>
  atTheSameMoment(async (other, proceed) => {
    const [{ answer, events }, id] = [await proceed(), await other.id];
    if (id === undefined) return { answer, events } as Outcome;
    return events ? { events: underId(events, id) } : { answer: withId(answer as StreamResponse, id) };
  });

/** Every stream also sends the updates of other open streams. */
function leaking(): Layers {
  const open = new Set<StreamResponse[]>();
  return {
    operations: changeStream(["SendStreamingMessage"], async function* (events) {
      const heard: StreamResponse[] = [];
      open.add(heard);
      try {
        for await (const event of events) {
          // An unread stream buffers at most this many events.
          for (const other of open) if (other !== heard && !event.task && other.length < 100) other.push(event);
          yield event;
          yield* heard.splice(0);
        }
      } finally {
        open.delete(heard);
      }
    }),
  };
}

export const atOnceMutants = [
  spec("CTX-002.at-once", "Concurrent messages all get the context of the first.", () =>
    atTheSameMoment((other, proceed) => proceed(other.contextId)),
  ),

  spec("CTX-007.at-once", "Concurrent tasks of two contexts get the same id.", sharedId),

  spec("STREAM-019.at-once", "Each stream also sends the events of other open streams.", leaking),

  spec01("V01-STREAM-005.at-once", "Each stream also sends the events of other open streams.", leaking),
];

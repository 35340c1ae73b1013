import { isTerminal, type JsonObject, type StreamResponse } from "@assay/protocol";
import { events } from "../bending/json.ts";
import { retell } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

const streams = ["SendStreamingMessage"] as const;

const isEnd = ({ statusUpdate }: StreamResponse): boolean =>
  statusUpdate !== undefined && isTerminal(statusUpdate.status.state);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

export const streamMutants = [
  mutant("STREAM-003.status-first", "spec", "Never introduces the task: the stream starts with a status.", {
    operations: retell(streams, async function* (events) {
      for await (const event of events) if (!event.task) yield event;
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

  mutant("STREAM-022.every-chunk-last", "spec", "Calls every chunk of an artifact the last one.", {
    async *events(events) {
      for await (const event of events) yield event.is === "artifact" ? { ...event, lastChunk: true } : event;
    },
  }),
];

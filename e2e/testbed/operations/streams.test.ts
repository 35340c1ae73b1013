import type { StreamResponse, Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { expectedOf } from "../../fixtures/expected.fixture.ts";
import {
  agentMessage,
  anId,
  ask,
  aTimestamp,
  bindings,
  collect,
  follow,
  say,
  sending,
  taskFrom,
  useTestbed,
} from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;
const instant = useTestbed({ timeScale: 0 });

const { statusUpdate, artifactUpdate } = expectedOf();

/** Returns the task with which every stream of a new task starts. */
function openingOf(events: readonly StreamResponse[], text: string): Task {
  const task = events[0]?.task;
  expect(events[0]).toEqual({
    task: {
      id: anId,
      contextId: anId,
      status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp },
      history: [
        { messageId: anId, contextId: task?.contextId, taskId: task?.id, role: "ROLE_USER", parts: [{ text }] },
      ],
    },
  });
  return task!;
}

describe.each(bindings)("over %s", (binding) => {
  describe.concurrent("streams", () => {
    test("spec-streaming: the task, working, four chunks, completed", async () => {
      const text = "streaming hello";
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", sending(text)));
      const task = openingOf(events, text);
      const chunk = (n: number) => [{ text: `[streaming] Chunk ${n}: streaming hello\n` }];
      expect(events.slice(1)).toEqual([
        statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
        artifactUpdate(task, "stream-result", chunk(1), {}),
        artifactUpdate(task, "stream-result", chunk(2), { append: true }),
        artifactUpdate(task, "stream-result", chunk(3), { append: true }),
        artifactUpdate(task, "stream-result", chunk(4), { append: true, lastChunk: true }),
        statusUpdate(task, "TASK_STATE_COMPLETED"),
      ]);
      const { artifacts } = await ask(spec(), binding, "GetTask", { id: task.id });
      expect(artifacts).toEqual([
        { artifactId: "stream-result", name: "stream-result", parts: [1, 2, 3, 4].flatMap(chunk) },
      ]);
    });

    test("stream-message-only: exactly one event, the message", async () => {
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", sending("message-only hi")));
      expect(events).toEqual([{ message: agentMessage("[message-only] You said: message-only hi") }]);
    });

    test("stream-task-lifecycle: the task, then every step of it", async () => {
      const text = "task-lifecycle x";
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", sending(text)));
      const task = openingOf(events, text);
      expect(events.slice(1)).toEqual([
        statusUpdate(task, "TASK_STATE_WORKING"),
        artifactUpdate(task, "result", [{ text: "[task-lifecycle] Processed: task-lifecycle x" }]),
        statusUpdate(task, "TASK_STATE_COMPLETED"),
      ]);
    });

    test("a stream of a conversation ends where the agent asks, and the follow-up streams on", async () => {
      const opening = await collect(follow(spec(), binding, "SendStreamingMessage", sending("multi-turn go")));
      const task = openingOf(opening, "multi-turn go");
      expect(opening.slice(1)).toEqual([
        statusUpdate(task, "TASK_STATE_INPUT_REQUIRED", '[multi-turn] What next? Say "done" to finish.'),
      ]);
      const request = { message: say("done", { taskId: task.id }) };
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", request));
      expect(events.slice(1)).toEqual([
        statusUpdate(task, "TASK_STATE_WORKING"),
        artifactUpdate(task, "final", [{ text: "[multi-turn] Finished after 2 messages." }]),
        statusUpdate(task, "TASK_STATE_COMPLETED"),
      ]);
      expect([events[0]?.task?.id, events[0]?.task?.contextId, events[0]?.task?.history?.length]).toEqual([
        task.id,
        task.contextId,
        3,
      ]);
    });

    test("a task without a cancel completes, and the stream of a canceled task ends with the cancel", async () => {
      const events: StreamResponse[] = [];
      for await (const event of follow(spec(), binding, "SendStreamingMessage", sending("task-cancel x"))) {
        events.push(event);
        if (events.length === 2) await ask(spec(), binding, "CancelTask", { id: events[0]!.task!.id });
      }
      const task = openingOf(events, "task-cancel x");
      expect(events.slice(1)).toEqual([
        statusUpdate(task, "TASK_STATE_WORKING", "[task-cancel] Waiting to be canceled."),
        statusUpdate(task, "TASK_STATE_CANCELED", "[task-cancel] Canceled on request."),
      ]);
      const patient = await taskFrom(`${instant.url}/spec`, binding, "task-cancel y");
      expect([patient.status.state, patient.status.message?.parts]).toEqual([
        "TASK_STATE_COMPLETED",
        [{ text: "[task-cancel] Nobody canceled." }],
      ]);
    });

    test("subscribe-to-task: the current task, then every later event", async () => {
      const started = await taskFrom(spec(), binding, "long-running go", { returnImmediately: true });
      const [opening, ...events] = await collect(follow(spec(), binding, "SubscribeToTask", { id: started.id }));
      expect([opening?.task?.id, opening?.task?.contextId]).toEqual([started.id, started.contextId]);
      const steps = [1, 2, 3, 4, 5].flatMap((n) => [
        statusUpdate(started, "TASK_STATE_WORKING", `[long-running] Step ${n} of 5`),
        artifactUpdate(started, `step-${n}`, [{ text: `[long-running] Result of step ${n}` }]),
      ]);
      const all = [...steps, statusUpdate(started, "TASK_STATE_COMPLETED", "[long-running] All steps done.")];
      // The first event has everything so far; later events do not repeat it.
      const told = all.length - events.length;
      expect(events).toEqual(all.slice(told));
      const shown = all.slice(0, told).filter((event) => "artifactUpdate" in event);
      expect(opening?.task?.artifacts ?? []).toHaveLength(shown.length);
    });

    test("subscribe-after-stream-disconnect: a client that drops its stream can subscribe again and see the end", async () => {
      const leaving = new AbortController();
      const stream = follow(spec(), binding, "SendStreamingMessage", sending("long-running go"), {
        signal: leaving.signal,
      });
      const { value } = await stream.next();
      const id = (value as StreamResponse).task!.id;
      await stream.next();
      leaving.abort();
      await stream.return(undefined).catch(() => {});
      const events = await collect(follow(spec(), binding, "SubscribeToTask", { id }));
      expect(events[0]?.task?.id).toBe(id);
      expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
      const seen = new Set([
        ...(events[0]?.task?.artifacts ?? []).map(({ artifactId }) => artifactId),
        ...events.flatMap(({ artifactUpdate: update }) => (update ? [update.artifact.artifactId] : [])),
      ]);
      expect([...seen]).toEqual(["step-1", "step-2", "step-3", "step-4", "step-5"]);
    });

    test("two subscribers of a task hear the same events in the same order", async () => {
      const started = await taskFrom(spec(), binding, "chunks 1000 10 200", { returnImmediately: true });
      const heard: StreamResponse[][] = [[], []];
      const listening = heard.map(async (events) => {
        for await (const event of follow(spec(), binding, "SubscribeToTask", { id: started.id })) {
          events.push(event);
          // The second of both calls finds the task canceled.
          if (heard.every(({ length }) => length > 5))
            await ask(spec(), binding, "CancelTask", { id: started.id }).catch(() => {});
        }
      });
      await Promise.all(listening);
      const [one, two] = heard as [StreamResponse[], StreamResponse[]];
      expect(one.slice(-5)).toEqual(two.slice(-5));
      expect(one.at(-1)).toEqual(statusUpdate(started, "TASK_STATE_CANCELED"));
    });
  });
});

import type { StreamResponse, Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { expectedOf } from "../fixtures/expected.fixture.ts";
import {
  agentMessage,
  anId,
  ask,
  askWithHeaders,
  aTimestamp,
  bindings,
  collect,
  follow,
  refusal,
  refusedAs,
  say,
  sending,
  taskFrom,
  unknownTask,
  until,
  useTestbed,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const instant = useTestbed({ timeScale: 0 });
const spec = () => `${bed.url}/spec`;

const { statusUpdate, artifactUpdate } = expectedOf();

/** The task that a stream opens with, as every stream of a fresh task has to. */
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
  const userMessage = (task: Task, text: string) => ({
    messageId: anId,
    contextId: task.contextId,
    taskId: task.id,
    role: "ROLE_USER",
    parts: [{ text }],
  });

  describe.concurrent("the eight skills", () => {
    test("echo-send-message: /echo answers with a message and makes no task", async () => {
      const answer = await ask(`${bed.url}/echo`, binding, "SendMessage", sending("hello, Grüße 👋"));
      expect(answer).toEqual({ message: agentMessage("Echo: hello, Grüße 👋") });
      expect((await ask(`${bed.url}/echo`, binding, "ListTasks", {})).totalSize).toBe(0);
    });

    test("spec-message-only: a direct message, in the context of the question", async () => {
      const message = say("message-only hi", { contextId: "my-context" });
      expect(await ask(spec(), binding, "SendMessage", { message })).toEqual({
        message: agentMessage("[message-only] You said: message-only hi", { contextId: "my-context" }),
      });
    });

    test("the agent of the root path is the one of /spec", async () => {
      expect(await ask(bed.url, binding, "SendMessage", sending("message-only hi"))).toEqual({
        message: agentMessage("[message-only] You said: message-only hi"),
      });
      const task = await taskFrom(bed.url, binding, "task-lifecycle at the root");
      expect(await ask(spec(), binding, "GetTask", { id: task.id })).toEqual(task);
    });

    test("spec-task-lifecycle and spec-get-task: blocking, completed, with its artifact and its history", async () => {
      const task = await taskFrom(spec(), binding, "task-lifecycle process this");
      expect(task).toEqual({
        id: anId,
        contextId: anId,
        status: { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp },
        artifacts: [
          {
            artifactId: "result",
            name: "result",
            parts: [{ text: "[task-lifecycle] Processed: task-lifecycle process this" }],
          },
        ],
        history: [userMessage(task, "task-lifecycle process this")],
      });
      expect(await ask(spec(), binding, "GetTask", { id: task.id })).toEqual(task);
      const { history: _, ...withoutHistory } = task;
      expect(await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 0 })).toEqual(withoutHistory);
    });

    test("keywords need neither their case nor a place at the very start", async () => {
      const task = await taskFrom(spec(), binding, "  \n Task-LifeCycle x");
      expect(task.artifacts?.[0]?.parts).toEqual([{ text: "[task-lifecycle] Processed:   \n Task-LifeCycle x" }]);
    });

    test("what no keyword claims is answered with the keywords", async () => {
      const { message } = await ask(spec(), binding, "SendMessage", sending("what can you do?"));
      expect(message).toEqual(
        agentMessage(
          expect.stringMatching(
            /message-only, task-lifecycle, task-failure, task-cancel, multi-turn, streaming, long-running, data-types/,
          ),
        ),
      );
    });

    test("spec-task-failure and get-task-after-failure: failed, and the agent says so", async () => {
      const task = await taskFrom(spec(), binding, "task-failure please");
      expect(task).toEqual({
        id: anId,
        contextId: anId,
        status: {
          state: "TASK_STATE_FAILED",
          timestamp: aTimestamp,
          message: agentMessage("[task-failure] This task fails on purpose.", {
            taskId: task.id,
            contextId: task.contextId!,
          }),
        },
        history: [userMessage(task, "task-failure please")],
      });
      expect(await ask(spec(), binding, "GetTask", { id: task.id })).toEqual(task);
    });

    test("spec-data-types: text, data, a file and a mixture", async () => {
      const { artifacts } = await taskFrom(spec(), binding, "data-types all");
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7"/></svg>';
      expect(artifacts).toEqual([
        { artifactId: "text", name: "text", parts: [{ text: "[data-types] Plain text" }] },
        {
          artifactId: "data",
          name: "data",
          parts: [
            {
              data: { type: "measurement", values: [1, 2.5, -3], nested: { unit: "mm", ok: true, note: null } },
              mediaType: "application/json",
            },
          ],
        },
        {
          artifactId: "file",
          name: "file",
          parts: [{ raw: Buffer.from(svg).toString("base64"), filename: "test.svg", mediaType: "image/svg+xml" }],
        },
        {
          artifactId: "mixed",
          name: "mixed",
          parts: [{ text: "[data-types] Text beside data" }, { data: { beside: "text" } }],
        },
      ]);
    });

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

    test("spec-multi-turn and multi-turn-context-preserved: asks twice, completes, keeps task and context", async () => {
      const first = await taskFrom(spec(), binding, "multi-turn start");
      const turn = async (text: string, contextId?: string) => {
        const message = say(text, { taskId: first.id, ...(contextId === undefined ? {} : { contextId }) });
        const { task } = await ask(spec(), binding, "SendMessage", { message });
        return task!;
      };
      const second = await turn("blue", first.contextId);
      const third = await turn("done");
      const ids = { taskId: first.id, contextId: first.contextId! };
      const question = agentMessage('[multi-turn] What next? Say "done" to finish.', ids);
      const noted = agentMessage('[multi-turn] Noted: blue. What next? Say "done" to finish.', ids);
      expect(first).toEqual({
        id: anId,
        contextId: anId,
        status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp: aTimestamp, message: question },
        history: [userMessage(first, "multi-turn start")],
      });
      expect(second).toEqual({
        id: first.id,
        contextId: first.contextId,
        status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp: aTimestamp, message: noted },
        history: [userMessage(first, "multi-turn start"), question, userMessage(first, "blue")],
      });
      expect(third).toEqual({
        id: first.id,
        contextId: first.contextId,
        status: { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp },
        artifacts: [
          { artifactId: "final", name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] },
        ],
        history: [
          userMessage(first, "multi-turn start"),
          question,
          userMessage(first, "blue"),
          noted,
          userMessage(first, "done"),
        ],
      });
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

    test("a finished task's context can carry a new task", async () => {
      const first = await taskFrom(spec(), binding, "task-lifecycle one");
      const message = say("task-lifecycle two", { contextId: first.contextId! });
      const { task } = await ask(spec(), binding, "SendMessage", { message });
      expect([task!.contextId, task!.id === first.id]).toEqual([first.contextId, false]);
    });

    test("spec-task-cancel and spec-cancel-with-metadata: canceled, for good, and the metadata comes back", async () => {
      const started = await taskFrom(spec(), binding, "task-cancel start", { returnImmediately: true });
      expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
      const metadata = { reason: "changed my mind", requestedBy: "e2e", nested: { deep: [1, null] } };
      const canceled = await ask(spec(), binding, "CancelTask", { id: started.id, metadata });
      const ids = { taskId: started.id, contextId: started.contextId! };
      expect(canceled).toEqual({
        id: started.id,
        contextId: started.contextId,
        status: {
          state: "TASK_STATE_CANCELED",
          timestamp: aTimestamp,
          message: agentMessage("[task-cancel] Canceled on request.", ids),
        },
        history: [
          userMessage(started, "task-cancel start"),
          agentMessage("[task-cancel] Waiting to be canceled.", ids),
        ],
        metadata,
      });
      expect(await ask(spec(), binding, "GetTask", { id: started.id })).toEqual(canceled);
    });

    test("a task nobody cancels completes, and whoever follows a canceled one hears it", async () => {
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

    test("spec-return-immediately: at work at once, completed later with all its steps", async () => {
      const started = await taskFrom(spec(), binding, "long-running go", { returnImmediately: true });
      expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
      const ended = await until(
        () => ask(spec(), binding, "GetTask", { id: started.id }),
        ({ status }) => status.state === "TASK_STATE_COMPLETED",
      );
      expect(ended.artifacts).toEqual(
        [1, 2, 3, 4, 5].map((n) => ({
          artifactId: `step-${n}`,
          name: `step-${n}`,
          parts: [{ text: `[long-running] Result of step ${n}` }],
        })),
      );
      expect(ended.history?.map(({ parts }) => parts[0]?.text)).toEqual([
        "long-running go",
        ...[1, 2, 3, 4, 5].map((n) => `[long-running] Step ${n} of 5`),
      ]);
      expect(ended.status.message?.parts).toEqual([{ text: "[long-running] All steps done." }]);
    });

    test("subscribe-to-task: the task as it stands, then what follows, to the end", async () => {
      const started = await taskFrom(spec(), binding, "long-running go", { returnImmediately: true });
      const [opening, ...events] = await collect(follow(spec(), binding, "SubscribeToTask", { id: started.id }));
      expect([opening?.task?.id, opening?.task?.contextId]).toEqual([started.id, started.contextId]);
      const steps = [1, 2, 3, 4, 5].flatMap((n) => [
        statusUpdate(started, "TASK_STATE_WORKING", `[long-running] Step ${n} of 5`),
        artifactUpdate(started, `step-${n}`, [{ text: `[long-running] Result of step ${n}` }]),
      ]);
      const all = [...steps, statusUpdate(started, "TASK_STATE_COMPLETED", "[long-running] All steps done.")];
      // What the opening already shows is not told again; nothing else is missing.
      const told = all.length - events.length;
      expect(events).toEqual(all.slice(told));
      const shown = all.slice(0, told).filter((event) => "artifactUpdate" in event);
      expect(opening?.task?.artifacts ?? []).toHaveLength(shown.length);
    });

    test("subscribe-after-stream-disconnect: whoever drops the stream can come back and see the end", async () => {
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
          // Whoever of the two is second finds it canceled.
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

  describe("the further skills", () => {
    test.each<[string, string, unknown]>([
      ["rejected x", "TASK_STATE_REJECTED", "[rejected] This agent declines the task."],
      ["fail-after 2", "TASK_STATE_FAILED", "[fail-after] Failed after 2 chunks."],
    ])("%s ends as %s", async (text, state, said) => {
      const task = await taskFrom(spec(), binding, text);
      expect(task.status).toEqual({
        state,
        timestamp: aTimestamp,
        message: agentMessage(said, { taskId: task.id, contextId: task.contextId! }),
      });
    });

    test("auth-required waits for an authorisation and goes on with the next message", async () => {
      const asked = await taskFrom(spec(), binding, "auth-required book it");
      expect([asked.status.state, asked.status.message?.role]).toEqual(["TASK_STATE_AUTH_REQUIRED", "ROLE_AGENT"]);
      const message = say("here you are", { taskId: asked.id });
      const { task } = await ask(spec(), binding, "SendMessage", { message });
      expect([task!.id, task!.status.state, task!.artifacts?.[0]?.name]).toEqual([
        asked.id,
        "TASK_STATE_COMPLETED",
        "receipt",
      ]);
    });

    test("throw: the skill crashes, the task fails, and nothing of the crash is told", async () => {
      const task = await taskFrom(spec(), binding, "throw");
      expect(task.status).toEqual({
        state: "TASK_STATE_FAILED",
        timestamp: aTimestamp,
        message: agentMessage("[throw] The skill failed with an internal error of the agent.", {
          taskId: task.id,
          contextId: task.contextId!,
        }),
      });
      expect(bed.faults.splice(0)).toEqual([expect.objectContaining({ message: expect.stringMatching(/on purpose/) })]);
    });

    test.each([
      ["internal-error", "Internal"],
      ["invalid-response", "InvalidAgentResponse"],
    ] as const)("%s: the request is answered with that error, and there is no task", async (text, error) => {
      for (const operation of ["SendMessage", "SendStreamingMessage"] as const) {
        const contextId = `breakdown-${crypto.randomUUID()}`;
        const request = { message: say(text, { contextId }) };
        expect(await refusal(spec(), binding, operation, request)).toEqual(refusedAs(binding, error));
        expect((await ask(spec(), binding, "ListTasks", { contextId })).tasks).toEqual([]);
      }
    });

    test("chunks streams as many chunks as asked, and they add up", async () => {
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", sending("chunks 200 32")));
      const updates = events.flatMap(({ artifactUpdate: update }) => (update ? [update] : []));
      expect(updates.map(({ append, lastChunk }) => [append ?? false, lastChunk ?? false])).toEqual(
        Array.from({ length: 200 }, (_, i) => [i > 0, i === 199]),
      );
      const { artifacts } = await ask(spec(), binding, "GetTask", { id: events[0]!.task!.id });
      expect(artifacts?.[0]?.parts).toEqual(updates.flatMap(({ artifact }) => artifact.parts));
    });

    test("history leaves as many messages as asked, and historyLength takes the latest", async () => {
      const task = await taskFrom(spec(), binding, "history 5", { historyLength: 2 });
      const texts = (of: Task) => of.history?.map(({ parts }) => parts[0]?.text);
      expect(texts(task)).toEqual(["[history] Message 4 of 5", "[history] Message 5 of 5"]);
      const whole = await ask(spec(), binding, "GetTask", { id: task.id });
      expect(texts(whole)).toEqual(["history 5", ...[1, 2, 3, 4, 5].map((n) => `[history] Message ${n} of 5`)]);
      const one = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 1 });
      expect(texts(one)).toEqual(["[history] Message 5 of 5"]);
      const none = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 0 });
      expect(Object.hasOwn(none, "history")).toBe(false);
      const more = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 100 });
      expect(texts(more)).toEqual(texts(whole));
    });

    test("big, many-artifacts, file-url and unicode arrive whole", async () => {
      const big = await taskFrom(spec(), binding, "big 3000000");
      expect(big.artifacts?.[0]?.parts[0]?.text?.length).toBe(3_000_000);
      const many = await taskFrom(spec(), binding, "many-artifacts 40");
      expect(many.artifacts?.map(({ artifactId }) => artifactId)).toEqual(
        Array.from({ length: 40 }, (_, i) => `artifact-${i + 1}`),
      );
      const file = await taskFrom(spec(), binding, "file-url");
      expect(file.artifacts?.[0]?.parts).toEqual([
        { url: "https://example.com/report.pdf", filename: "report.pdf", mediaType: "application/pdf" },
      ]);
      const unicode = await taskFrom(spec(), binding, "unicode");
      expect(unicode.artifacts?.[0]?.parts.map(({ text }) => text)).toEqual([
        "Grüße, čeština, ελληνικά, العربية, 中文",
        "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 combining: é vs e\u0301",
        "line separator:\u2028 paragraph separator:\u2029 no-break space:\u00a0.",
        'quotes " \\ / and a tab\t.',
      ]);
    });

    test("slow is still at work when asked at once", async () => {
      const started = await taskFrom(spec(), binding, "slow 600", { returnImmediately: true });
      const now = await ask(spec(), binding, "GetTask", { id: started.id });
      expect(now.status.state).toBe("TASK_STATE_WORKING");
      const { status } = await ask(spec(), binding, "CancelTask", { id: started.id });
      expect(status.state).toBe("TASK_STATE_CANCELED");
    });
  });

  describe("what a send may ask for", () => {
    test("acceptedOutputModes leaves out what the client cannot read", async () => {
      const task = await taskFrom(spec(), binding, "data-types all", { acceptedOutputModes: ["application/json"] });
      expect(task.artifacts?.map(({ name, parts }) => [name, parts.map((part) => Object.keys(part)[0])])).toEqual([
        ["data", ["data"]],
        ["mixed", ["data"]],
      ]);
    });

    test("acceptedOutputModes that the agent cannot meet at all are ignored", async () => {
      const task = await taskFrom(spec(), binding, "data-types all", { acceptedOutputModes: ["video/mp4"] });
      expect(task.artifacts?.map(({ name }) => name)).toEqual(["text", "data", "file", "mixed"]);
    });

    test("historyLength 0 leaves the history out of the answer", async () => {
      const task = await taskFrom(spec(), binding, "task-lifecycle x", { historyLength: 0 });
      expect(Object.hasOwn(task, "history")).toBe(false);
    });

    test("metadata of the request becomes metadata of the task", async () => {
      const metadata = { trace: "abc", "urn:x": { deep: [true, null, 1.5] } };
      const { task } = await ask(spec(), binding, "SendMessage", { message: say("task-lifecycle x"), metadata });
      expect(task!.metadata).toEqual(metadata);
    });

    test("a message keeps its parts, metadata, extensions and references in the history", async () => {
      const message = say("", {
        parts: [
          { text: "task-lifecycle all kinds" },
          { data: { a: [1, null] }, metadata: { k: "v" } },
          { raw: "AAEC", filename: "b.bin", mediaType: "application/octet-stream" },
          { url: "https://example.com/x.png", mediaType: "image/png" },
        ],
        metadata: { m: 1 },
        extensions: ["urn:e"],
        referenceTaskIds: ["t-1"],
      });
      const { task } = await ask(spec(), binding, "SendMessage", { message });
      expect(task!.history).toEqual([{ ...message, taskId: task!.id, contextId: task!.contextId }]);
    });

    test("a part of a type the agent does not read is refused, and nothing is created", async () => {
      const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
      const message = say("", { parts: [{ text: "task-lifecycle x" }, { raw: "AAEC", mediaType: "video/mp4" }] });
      expect(await refusal(spec(), binding, "SendMessage", { message })).toEqual(
        refusedAs(binding, "ContentTypeNotSupported"),
      );
      expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
    });
  });

  describe("listing", () => {
    test("spec-list-tasks: newest first, without artifacts unless asked, page by page without loss", async () => {
      const contextId = `list-${binding}`;
      const ids: string[] = [];
      for (let n = 0; n < 7; n++) {
        const text = n === 3 ? "task-failure x" : n === 4 ? "multi-turn x" : "task-lifecycle x";
        const { task } = await ask(spec(), binding, "SendMessage", { message: say(text, { contextId }) });
        ids.unshift(task!.id);
      }
      const listing = (request: object) => ask(spec(), binding, "ListTasks", { contextId, ...request });
      const all = await listing({});
      expect(all).toEqual({ tasks: expect.any(Array), nextPageToken: "", pageSize: 50, totalSize: 7 });
      expect(all.tasks.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const times = all.tasks.map(({ status }) => status.timestamp!);
      expect(times).toEqual([...times].sort().reverse());
      expect(all.tasks.some((task) => Object.hasOwn(task, "artifacts"))).toBe(false);

      const walked: string[] = [];
      const sizes: number[] = [];
      let pageToken = "";
      do {
        const page = await listing({ pageSize: 3, ...(pageToken && { pageToken }) });
        expect([page.pageSize, page.totalSize]).toEqual([3, 7]);
        sizes.push(page.tasks.length);
        walked.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect([sizes, walked.sort()]).toEqual([[3, 3, 1], [...ids].sort()]);

      const whole = await listing({ includeArtifacts: true, status: "TASK_STATE_COMPLETED" });
      expect([whole.totalSize, whole.tasks.every(({ artifacts }) => artifacts?.length === 1)]).toEqual([5, true]);
      const failed = await listing({ status: "TASK_STATE_FAILED" });
      expect(failed.tasks.map(({ id }) => id)).toEqual([ids[3]]);
      const asking = await listing({ status: "TASK_STATE_INPUT_REQUIRED", historyLength: 0 });
      expect(asking.tasks.map((task) => [task.id, Object.hasOwn(task, "history")])).toEqual([[ids[2], false]]);
      expect((await listing({ statusTimestampAfter: "2000-01-01T00:00:00Z" })).totalSize).toBe(7);
      const later = new Date(Date.now() + 60_000).toISOString();
      expect(await listing({ statusTimestampAfter: later })).toEqual({
        tasks: [],
        nextPageToken: "",
        pageSize: 50,
        totalSize: 0,
      });
    });

    test("a page token works for its own query only", async () => {
      const contextId = `tokens-${binding}`;
      for (let n = 0; n < 3; n++) {
        await ask(spec(), binding, "SendMessage", { message: say("task-lifecycle x", { contextId }) });
      }
      const { nextPageToken } = await ask(spec(), binding, "ListTasks", { contextId, pageSize: 1 });
      expect(nextPageToken).not.toBe("");
      const elsewhere = { contextId: "another", pageSize: 1, pageToken: nextPageToken };
      expect(await refusal(spec(), binding, "ListTasks", elsewhere)).toEqual(refusedAs(binding, "InvalidParams"));
    });

    test("tasks of one agent are not seen at another", async () => {
      const task = await taskFrom(spec(), binding, "task-lifecycle x");
      for (const other of ["full", "minimal", "echo"]) {
        expect(await refusal(`${bed.url}/${other}`, binding, "GetTask", { id: task.id })).toEqual(
          refusedAs(binding, "TaskNotFound"),
        );
      }
    });
  });

  describe("errors are the exact ones", () => {
    const message = (more: object) => ({ message: say("multi-turn go on", more) });

    test.each<[string, Parameters<typeof refusal>[2], object, Parameters<typeof refusedAs>[1]]>([
      ["error-task-not-found", "GetTask", { id: unknownTask }, "TaskNotFound"],
      ["error-cancel-not-found", "CancelTask", { id: unknownTask }, "TaskNotFound"],
      ["error-subscribe-not-found", "SubscribeToTask", { id: unknownTask }, "TaskNotFound"],
      ["error-send-invalid-task", "SendMessage", message({ taskId: unknownTask }), "TaskNotFound"],
      ["error-stream-invalid-task", "SendStreamingMessage", message({ taskId: unknownTask }), "TaskNotFound"],
      [
        "error-push-not-supported (create)",
        "CreateTaskPushNotificationConfig",
        { taskId: unknownTask, url: "http://127.0.0.1:9/hook" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (get)",
        "GetTaskPushNotificationConfig",
        { taskId: unknownTask, id: "x" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (list)",
        "ListTaskPushNotificationConfigs",
        { taskId: unknownTask },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (delete)",
        "DeleteTaskPushNotificationConfig",
        { taskId: unknownTask, id: "x" },
        "PushNotificationNotSupported",
      ],
      [
        "error-push-not-supported (inside a send)",
        "SendMessage",
        {
          ...message({}),
          configuration: { taskPushNotificationConfig: { url: "http://127.0.0.1:9/hook" } },
        },
        "PushNotificationNotSupported",
      ],
    ])("%s", async (_name, operation, request, error) => {
      const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
      expect(await refusal(spec(), binding, operation, request)).toEqual(refusedAs(binding, error));
      expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
    });

    test("error-cancel-terminal, error-send-terminal and a subscription to what has ended", async () => {
      for (const text of ["task-lifecycle x", "task-failure x", "rejected x"]) {
        const task = await taskFrom(spec(), binding, text);
        const { id } = task;
        const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
        expect(await refusal(spec(), binding, "CancelTask", { id })).toEqual(refusedAs(binding, "TaskNotCancelable"));
        const follow = message({ taskId: id });
        const unsupported = refusedAs(binding, "UnsupportedOperation");
        expect(await refusal(spec(), binding, "SendMessage", follow)).toEqual(unsupported);
        expect(await refusal(spec(), binding, "SendStreamingMessage", follow)).toEqual(unsupported);
        expect(await refusal(spec(), binding, "SubscribeToTask", { id })).toEqual(unsupported);
        expect(await ask(spec(), binding, "GetTask", { id })).toEqual(task);
        expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
      }
    });

    test("a canceled task cannot be canceled again", async () => {
      const { id } = await taskFrom(spec(), binding, "task-cancel x", { returnImmediately: true });
      await ask(spec(), binding, "CancelTask", { id });
      expect(await refusal(spec(), binding, "CancelTask", { id })).toEqual(refusedAs(binding, "TaskNotCancelable"));
    });

    test("a task that waits for input can be canceled", async () => {
      const { id } = await taskFrom(spec(), binding, "multi-turn x");
      const { status } = await ask(spec(), binding, "CancelTask", { id });
      expect(status).toEqual({ state: "TASK_STATE_CANCELED", timestamp: aTimestamp });
    });

    test("a follow-up in another context is refused, and the task stays as it is", async () => {
      const task = await taskFrom(spec(), binding, "multi-turn x");
      const request = message({ taskId: task.id, contextId: "elsewhere" });
      expect(await refusal(spec(), binding, "SendMessage", request)).toEqual(refusedAs(binding, "InvalidParams"));
      expect(await ask(spec(), binding, "GetTask", { id: task.id })).toEqual(task);
    });

    test("a message to a task at work is refused", async () => {
      const { id } = await taskFrom(spec(), binding, "task-cancel x", { returnImmediately: true });
      expect(await refusal(spec(), binding, "SendMessage", message({ taskId: id }))).toEqual(
        refusedAs(binding, "UnsupportedOperation"),
      );
      await ask(spec(), binding, "CancelTask", { id });
    });
  });

  describe("the extended card", () => {
    const token = { Authorization: "Bearer agentbin-test-token" };

    test.each(["spec", "full"])("of /%s shows a further skill to who has the token", async (agent) => {
      const { value, headers } = await askWithHeaders(
        `${bed.url}/${agent}`,
        binding,
        "GetExtendedAgentCard",
        {},
        { ...token },
      );
      expect(value.skills.at(-1)?.id).toBe("admin-status");
      if (agent === "spec") expect(value.skills.length).toBe(9);
      expect(headers["cache-control"]).toBe("private, no-store");
    });

    test.each<[string, Record<string, string>]>([
      ["without a token", {}],
      ["with a wrong token", { Authorization: "Bearer wrong" }],
      ["with an empty token", { Authorization: "Bearer" }],
      ["with another scheme", { Authorization: "Basic agentbin-test-token" }],
    ])("%s is refused with a challenge", async (_name, headers) => {
      expect(await refusal(spec(), binding, "GetExtendedAgentCard", {}, headers)).toEqual(
        refusedAs(binding, "Unauthenticated"),
      );
    });

    test("the scheme's name may be written in any case", async () => {
      const { name } = await ask(
        spec(),
        binding,
        "GetExtendedAgentCard",
        {},
        { Authorization: "bEARER agentbin-test-token" },
      );
      expect(name).toBe("Spec Agent");
    });
  });
});

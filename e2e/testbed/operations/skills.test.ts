import type { Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { dataTypesArtifacts, expectedOf } from "../../fixtures/expected.fixture.ts";
import {
  agentMessage,
  anId,
  ask,
  aTimestamp,
  bindings,
  say,
  sending,
  taskFrom,
  until,
  useTestbed,
} from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const { lifecycleTask } = expectedOf();
const spec = () => `${bed.url}/spec`;

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
      expect(task).toEqual(lifecycleTask(task, "task-lifecycle process this"));
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
      expect(artifacts).toEqual(dataTypesArtifacts);
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
  });
});

import { expect, test } from "vitest";
import { engineHarness, refusal } from "./engine.fixture.ts";

const call = { scope: "old", account: "somewhere", extensions: [], clientIds: true };
const say = (taskId: string, text: string) => ({
  message: { messageId: text, role: "ROLE_USER" as const, parts: [{ text }], taskId },
});

test("a task is made under the id that the client chose", async () => {
  const { engine } = engineHarness();
  const { task } = await engine.send(say("mine", "task-lifecycle a"), call);
  expect([task?.id, task?.status.state]).toEqual(["mine", "TASK_STATE_COMPLETED"]);
  expect((await engine.get({ id: "mine" }, call)).id).toBe("mine");
});

test("an ended task begins again under its id and keeps its history and context", async () => {
  const { engine } = engineHarness();
  const first = (await engine.send(say("mine", "task-lifecycle a"), call)).task!;
  const again = (await engine.send(say("mine", "task-lifecycle b"), call)).task!;
  expect(again.contextId).toBe(first.contextId);
  expect(again.history?.map(({ messageId }) => messageId)).toEqual(["task-lifecycle a", "task-lifecycle b"]);
  expect(again.artifacts?.[0]?.parts[0]?.text).toBe("[task-lifecycle] Processed: task-lifecycle b");
});

test("a task that was begun again goes on with the skill that its second beginning chose, also after a restart", async () => {
  const { engine, store } = engineHarness();
  await engine.send(say("mine", "task-lifecycle a"), call);
  await engine.send(say("mine", "multi-turn b"), call);
  // Another process with the same store and no memory.
  const later = engineHarness({ store });
  const { task } = await later.engine.send(say("mine", "more"), call);
  expect(task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  const { task: done } = await later.engine.send(say("mine", "done"), call);
  expect([done?.status.state, done?.artifacts?.[0]?.artifactId]).toEqual(["TASK_STATE_COMPLETED", "final"]);
});

test("a plain answer is a completed task, because there is nothing else to answer with", async () => {
  const { engine } = engineHarness();
  const { task } = await engine.send(say("mine", "message-only a"), call);
  expect(task?.status).toMatchObject({ state: "TASK_STATE_COMPLETED", message: { role: "ROLE_AGENT" } });
});

test("an open task goes on, and its owner alone knows it", async () => {
  const { engine } = engineHarness();
  await engine.send(say("mine", "multi-turn a"), call);
  const { task } = await engine.send(say("mine", "done"), call);
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  await expect(engine.get({ id: "mine" }, { ...call, scope: "other" })).rejects.toThrow('Task "mine" not found');
});

test("an id that would be a burden to keep is refused", async () => {
  const { engine } = engineHarness();
  expect((await engine.send(say("x".repeat(1_000), "task-lifecycle a"), call)).task?.id).toHaveLength(1_000);
  expect(await refusal(engine.send(say("x".repeat(1_001), "task-lifecycle a"), call))).toMatchObject({
    kind: "InvalidParams",
    path: "$.message.taskId",
  });
});

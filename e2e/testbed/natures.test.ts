import type { Task } from "@assay/protocol";
import { expect, test } from "vitest";
import { onTask, Subject } from "../fixtures/subject.fixture.ts";
import { sending, useTestbed } from "../fixtures/testbed.fixture.ts";

// Agents with one behaviour for every message. No keyword of a test bed changes it.

const bed = useTestbed({ timeScale: 0.02 });
const prompts = ["Reply with the word OK.", "message-only hi", "tck-input-required"];

test.each([
  ["short-tasks", "TASK_STATE_COMPLETED"],
  ["long-tasks", "TASK_STATE_COMPLETED"],
  ["asks-back", "TASK_STATE_INPUT_REQUIRED"],
  ["notifies", "TASK_STATE_COMPLETED"],
])("%s: any message becomes a task in %s", async (id, state) => {
  const agent = new Subject(bed.url, `variants/${id}`, "minimal");
  for (const prompt of prompts) {
    const { task } = await agent.ask<{ task: Task }>("SendMessage", sending(prompt));
    expect([task.status.state, task.artifacts?.length ?? 0]).toEqual([state, id === "asks-back" ? 0 : 1]);
  }
});

test("streams-tasks: a plain message is answered with a message, a stream shows a task", async () => {
  const agent = new Subject(bed.url, "variants/streams-tasks", "minimal");
  expect(Object.keys(await agent.ask("SendMessage", sending(prompts[0]!)))).toEqual(["message"]);
  const { events } = await agent.events("SendStreamingMessage", sending(prompts[0]!));
  expect(events[0]?.task?.status.state).toBe("TASK_STATE_SUBMITTED");
});

test("asks-back completes after a reply", async () => {
  const agent = new Subject(bed.url, "variants/asks-back", "minimal");
  const { id } = await agent.task(prompts[0]!);
  const { task } = await agent.ask<{ task: Task }>("SendMessage", onTask("tomorrow", id));
  expect([task.id, task.status.state]).toEqual([id, "TASK_STATE_COMPLETED"]);
});

import type { Message, Task } from "@assay/protocol";
import { expect } from "vitest";
import { onTask, quickly } from "../../fixtures/subject.fixture.ts";
import { say, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { chat, error, type Row, row, taskNotFound } from "./row.fixture.ts";

export const messageRows: readonly Row[] = [
  row(
    "SEND-008.takes-it",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { task, ...refused } = await agent.ask<{ task?: Task }>("SendMessage", onTask("task-lifecycle again", id));
      return task ? [task.id === id, task.status.state] : refused;
    },
    [error(-32004, "UNSUPPORTED_OPERATION"), [true, "TASK_STATE_COMPLETED"]],
  ),
  row(
    "SEND-010.never-waits",
    async (agent) => (await agent.task("slow 1")).status.state,
    ["TASK_STATE_COMPLETED", expect.stringMatching(/SUBMITTED|WORKING/)],
    chat,
  ),
  row("SEND-012.always-waits", async (agent) => (await agent.task("slow 10", quickly)).status.state, [
    expect.stringMatching(/SUBMITTED|WORKING/),
    "TASK_STATE_COMPLETED",
  ]),
  row(
    "SEND-020.as-the-user",
    async (agent) => {
      const message = say("message-only hi");
      const answer = (await agent.ask<{ message: Message }>("SendMessage", { message })).message;
      return [answer.role, answer.messageId === message.messageId];
    },
    [
      ["ROLE_AGENT", false],
      ["ROLE_USER", true],
    ],
  ),
  row(
    "CTX-002.replaced",
    async (agent) => (await agent.task("", { message: say("task-lifecycle hi", { contextId: "mine" }) })).contextId,
    ["mine", expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ),
  row(
    "CTX-008.new-task",
    async (agent) => {
      const { task, ...refused } = await agent.ask<{ task?: Task }>(
        "SendMessage",
        onTask("task-lifecycle hi", unknownTask),
      );
      return task ? [task.id === unknownTask, task.status.state] : refused;
    },
    [taskNotFound, [false, "TASK_STATE_COMPLETED"]],
  ),
  row(
    "CTX-011.mismatch",
    async (agent) => {
      const { id } = await agent.task("multi-turn hi");
      const { task, ...refused } = await agent.ask<{ task?: Task }>("SendMessage", onTask("done", id, "another"));
      return task?.status.state ?? refused;
    },
    [error(-32602, "INVALID_PARAMS"), "TASK_STATE_COMPLETED"],
  ),
  row("DATA-001.snake-case", async (agent) => Object.keys((await agent.task("task-lifecycle hi")).artifacts![0]!), [
    ["artifactId", "name", "parts"],
    ["artifact_id", "name", "parts"],
  ]),
  row(
    "DATA-003.lower-case",
    async (agent) => (await agent.task("multi-turn hi")).status.state,
    ["TASK_STATE_INPUT_REQUIRED", "input-required"],
    chat,
  ),
  row(
    "DATA-005.two-l",
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.ask<Task>("CancelTask", { id })).status.state;
    },
    ["TASK_STATE_CANCELED", "TASK_STATE_CANCELLED"],
  ),
  row("DATA-007.offset", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.slice(23), [
    "Z",
    "+00:00",
  ]),
  row("DATA-021.hex", async (agent) => (await agent.task("data-types hi")).artifacts![2]!.parts[0]!.raw?.slice(0, 8), [
    "PHN2ZyB4",
    "3c737667",
  ]),
  row(
    "DATA-028.latin-1",
    async (agent) => {
      const { task } = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle é"));
      return task.artifacts![0]!.parts[0]!.text?.at(-1);
    },
    ["é", "\ufffd"],
  ),
];

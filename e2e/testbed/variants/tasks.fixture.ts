import type { ListTasksResponse, Task } from "@assay/protocol";
import { onTask, quickly, type Subject } from "../../fixtures/subject.fixture.ts";
import { sending, until } from "../../fixtures/testbed.fixture.ts";
import { outcome, type Row, row, streamed } from "./row.fixture.ts";

const statesOf = async (agent: Subject) =>
  (await streamed(agent)).events.map((event) => {
    return event.task ? `task ${event.task.status.state}` : (event.statusUpdate?.status.state ?? "artifact");
  });

const historyOf = async (agent: Subject) => {
  const { id } = await agent.task("multi-turn one");
  await agent.ask("SendMessage", onTask("two", id));
  return (await agent.ask<Task>("GetTask", { id })).history?.map(({ role }) => role);
};

const canceled = async (agent: Subject) => {
  const { id } = await agent.task("task-cancel hi", quickly);
  return [id, (await agent.ask<Task>("CancelTask", { id })).status.state] as const;
};

export const taskRows: readonly Row[] = [
  row(
    "fails-every-task",
    statesOf,
    [
      ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"],
      ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_FAILED"],
    ],
    { refuses: true },
  ),
  row("closing-snapshot", statesOf, [
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"],
    [
      "task TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "artifact",
      "TASK_STATE_COMPLETED",
      "task TASK_STATE_COMPLETED",
    ],
  ]),
  row(
    "cut-stream",
    async (agent) => {
      const { events } = await streamed(agent, "streaming hi");
      return events.at(-1)?.statusUpdate?.status.state;
    },
    ["TASK_STATE_COMPLETED", undefined],
  ),
  row(
    "open-at-input-required",
    async (agent) => {
      const request = sending("multi-turn hi");
      const listening = agent.events("SendStreamingMessage", request);
      const id = await until(
        async () =>
          (await agent.ask<ListTasksResponse>("ListTasks", { status: "TASK_STATE_INPUT_REQUIRED" })).tasks[0]?.id,
        (found) => found !== undefined,
      );
      await agent.ask("SendMessage", onTask("done", id!));
      const { events, ended } = await listening;
      return [events.at(-1)?.statusUpdate?.status.state, ended];
    },
    [
      ["TASK_STATE_INPUT_REQUIRED", true],
      ["TASK_STATE_COMPLETED", true],
    ],
  ),
  row(
    "one-stream",
    async (agent) => {
      const { id } = await agent.task("slow 600", quickly);
      const stop = new AbortController();
      const subscribe = () =>
        fetch(`${agent.url}/tasks/${id}:subscribe`, {
          method: "POST",
          headers: { "A2A-Version": "1.0" },
          signal: stop.signal,
        });
      const statuses = [(await subscribe()).status, (await subscribe()).status];
      stop.abort();
      return statuses;
    },
    [
      [200, 200],
      [200, 400],
    ],
  ),
  row(
    "no-last-chunk",
    async (agent) => (await streamed(agent)).events.flatMap(({ artifactUpdate }) => artifactUpdate?.lastChunk ?? []),
    [[true], []],
  ),
  row(
    "cancel-twice",
    async (agent) => {
      const [id] = await canceled(agent);
      const again = await agent.ask("CancelTask", { id });
      return again["code"] ?? (again as unknown as Task).status.state;
    },
    [-32002, "TASK_STATE_CANCELED"],
  ),
  row(
    "cancel-later",
    async (agent) => {
      const [id, state] = await canceled(agent);
      return [state, await agent.ending(id)];
    },
    [
      ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
      ["TASK_STATE_WORKING", "TASK_STATE_CANCELED"],
    ],
  ),
  row("late-cancel", async (agent) => [(await canceled(agent))[1], (await canceled(agent))[1]], [
    ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
    ["TASK_STATE_COMPLETED", "TASK_STATE_CANCELED"],
  ]),
  row(
    "random-durations",
    async (agent) => {
      let { id, status } = await agent.task("slow 0.1", quickly);
      while (status.state === "TASK_STATE_SUBMITTED") ({ id, status } = await agent.ask<Task>("GetTask", { id }));
      return status.message?.parts[0]?.text === "[slow] Working for 0.1 s";
    },
    [true, false],
  ),
  row(
    "asks-again",
    async (agent) => {
      const { id } = await agent.task("multi-turn one");
      const { task } = await agent.ask<{ task: Task }>("SendMessage", onTask("done", id));
      return task.status.state;
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"],
  ),
  row(
    "newest-first",
    async (agent) => {
      const { id } = await agent.task("multi-turn one");
      await agent.ask("SendMessage", onTask("two", id));
      return (await agent.ask<Task>("GetTask", { id })).history?.[0]?.parts[0]?.text;
    },
    ["multi-turn one", "two"],
  ),
  row("twice-in-history", async (agent) => (await historyOf(agent))?.length, [3, 6]),
  row("no-history", historyOf, [["ROLE_USER", "ROLE_AGENT", "ROLE_USER"], undefined]),
  row(
    "many-tasks",
    async (agent) => /one of many/.test((await agent.hear("JSONRPC", "ListTasks", { includeArtifacts: true })).text),
    [false, true],
  ),
  row("artifacts-at-the-close", statesOf, [
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifact", "TASK_STATE_COMPLETED"],
    ["task TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "task TASK_STATE_COMPLETED"],
  ]),
  row(
    "clamps",
    async (agent) => {
      const page = await agent.ask("ListTasks", { pageSize: 150 });
      return page["code"] ?? page["pageSize"];
    },
    [-32602, 100],
  ),
  row(
    "past-times",
    async (agent) => {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      return outcome(await agent.ask("ListTasks", { statusTimestampAfter: tomorrow }));
    },
    ["tasks", -32602],
  ),
  row(
    "ignores-inline-push",
    async (agent) => {
      const configuration = { taskPushNotificationConfig: { url: "http://127.0.0.1:9/" } };
      return outcome(await agent.ask("SendMessage", { ...sending("task-lifecycle hi"), configuration }));
    },
    [-32003, "task"],
  ),
];

import type { Task } from "@assay/protocol";
import { onTask, quickly, type Subject } from "../../fixtures/subject.fixture.ts";
import { unknownTask } from "../../fixtures/testbed.fixture.ts";
import { error, listed, type Row, row, taskNotFound } from "./row.fixture.ts";

/** Counts the history after a follow-up: two messages of the user and one of the agent. */
const conversation = async (agent: Subject) => {
  const { id } = await agent.task("multi-turn one");
  await agent.ask("SendMessage", onTask("two", id));
  return id;
};

const historyOf = async (agent: Subject, historyLength?: number) => {
  const id = await conversation(agent);
  const task = await agent.ask<Task>("GetTask", { id, ...(historyLength === undefined ? {} : { historyLength }) });
  return task.history?.map(({ role, parts }) => `${role.slice(5, 6)}:${parts[0]?.text?.slice(0, 12)}`);
};

export const taskRows: readonly Row[] = [
  row(
    "GET-001.no-artifacts",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return (await agent.ask<Task>("GetTask", { id }, { binding: "HTTP+JSON" })).artifacts?.length;
    },
    [1, undefined],
  ),
  row("GET-002.empty", (agent) => agent.ask("GetTask", { id: unknownTask }), [taskNotFound, {}]),
  row(
    "GET-003.stack-trace",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", {});
      return [JSON.parse(text).error.code, /\n\s+at /.test(JSON.parse(text).error.message)];
    },
    [
      [-32602, false],
      [-32603, true],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),
  row(
    "HIST-001.pairs",
    async (agent) => (await historyOf(agent, 1))?.length,
    [1, 2],
    (agent) => historyOf(agent),
  ),
  row(
    "HIST-002.first-ones",
    (agent) => historyOf(agent, 1),
    [["U:two"], ["U:multi-turn o"]],
    (agent) => historyOf(agent),
  ),
  row(
    "HIST-003.zero-is-all",
    async (agent) => (await historyOf(agent, 0))?.length,
    [undefined, 3],
    (agent) => historyOf(agent, 1),
  ),
  row(
    "LIST-003.no-token",
    async (agent) => (await listed(agent)).page.nextPageToken,
    ["", undefined],
    async (agent) => (await listed(agent, { pageSize: 1 })).page.nextPageToken.length > 0,
  ),
  row("LIST-006.page-count", async (agent) => (await listed(agent, { pageSize: 1 })).page.totalSize, [2, 1]),
  row(
    "LIST-013.oldest-first",
    async (agent) => {
      const { ids, page } = await listed(agent);
      return page.tasks.map(({ id }) => ids.indexOf(id));
    },
    [
      [1, 0],
      [0, 1],
    ],
  ),
  row(
    "LIST-015.every-context",
    async (agent) => {
      await agent.task("task-lifecycle elsewhere");
      const { page, contextId } = await listed(agent);
      return page.tasks.every((task) => task.contextId === contextId);
    },
    [true, false],
  ),
  row(
    "LIST-019.artifacts-unasked",
    async (agent) => (await listed(agent)).page.tasks.map(({ artifacts }) => artifacts?.length),
    [
      [undefined, undefined],
      [1, 1],
    ],
    async (agent) => (await listed(agent, { includeArtifacts: true })).page.tasks.length,
  ),
  row(
    "CANCEL-002.ended-too",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { status, ...refused } = await agent.ask<Task>("CancelTask", { id });
      return status?.state ?? refused;
    },
    [error(-32002, "TASK_NOT_CANCELABLE"), "TASK_STATE_COMPLETED"],
  ),
  row("CANCEL-003.not-cancelable", (agent) => agent.ask("CancelTask", { id: unknownTask }), [
    taskNotFound,
    error(-32002, "TASK_NOT_CANCELABLE"),
  ]),
  row(
    "CANCEL-005.runs-on",
    async (agent) => {
      const { id } = await agent.task(agent.isBase ? "slow 600" : "slow 30", quickly);
      return [(await agent.ask<Task>("CancelTask", { id })).status.state, await agent.ending(id)];
    },
    [
      ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"],
      ["TASK_STATE_CANCELED", "TASK_STATE_COMPLETED"],
    ],
  ),
];

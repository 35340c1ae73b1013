import type { ListTasksResponse, Task } from "@assay/protocol";
import { unknownTask } from "../../fixtures/testbed.fixture.ts";
import { anonymous, bob, type Row, row, taskNotFound } from "./row.fixture.ts";

const alice = { Authorization: "Bearer alice-token" };
const carol = { Authorization: "Bearer carol-token" };

export const authRows: readonly Row[] = [
  row(
    "AUTH-006.anonymous",
    async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {}, anonymous)).status,
    [401, 200],
    async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {}, { Authorization: "Bearer wrong" })).status,
  ),
  row(
    "AUTH-007.any-token",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer wrong" })).status,
    [401, 200],
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, anonymous)).status,
  ),
  row(
    "AUTH-009.no-challenge",
    async (agent) => {
      const { status, headers } = await agent.hear("HTTP+JSON", "ListTasks", {}, anonymous);
      return [status, headers["www-authenticate"] !== undefined];
    },
    [
      [401, true],
      [401, false],
    ],
  ),
  row(
    "AUTH-010.always-401",
    async (agent) => (await agent.hear("HTTP+JSON", "CancelTask", { id: unknownTask }, carol)).status,
    [403, 401],
  ),
  row(
    "AUTH-012.global-count",
    async (agent) => {
      const { contextId } = await agent.task("task-lifecycle hi", { headers: alice });
      return (await agent.ask<ListTasksResponse>("ListTasks", { contextId }, { headers: bob })).totalSize;
    },
    [0, 1],
  ),
  row(
    "AUTH-013.knowing-the-id",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi", { headers: alice });
      const { status, ...refused } = await agent.ask<Task>("GetTask", { id }, { headers: bob });
      return status?.state ?? refused;
    },
    [taskNotFound, "TASK_STATE_COMPLETED"],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { headers: bob }),
  ),
  row(
    "AUTH-020.quotes-token",
    async (agent) => {
      const headers = { Authorization: "Bearer s3cret" };
      return (await agent.hear("JSONRPC", "ListTasks", {}, headers)).text.includes("s3cret");
    },
    [false, true],
  ),
];

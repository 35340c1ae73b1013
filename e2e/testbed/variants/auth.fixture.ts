import type { Task } from "@assay/protocol";
import { plain, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { type Row, row } from "./row.fixture.ts";

export const authRows: readonly Row[] = [
  row(
    "login-in-the-envelope",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" })).status,
    [401, 200],
  ),
  row(
    "rejects-private-files",
    async (agent) => {
      const { message } = sending("task-lifecycle hi");
      const parts = [...message.parts, { url: "http://2130706433:9/note.txt" }];
      const { task } = await agent.ask<{ task: Task }>("SendMessage", { message: { ...message, parts } });
      return task.status.state;
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_REJECTED"],
  ),
  row(
    "rights-after-look-up",
    async (agent) => {
      const carol = { headers: { Authorization: "Bearer carol-token" } };
      return (await agent.ask("CancelTask", { id: unknownTask }, carol))["code"];
    },
    [-31403, -32001],
  ),
  row(
    "foreign-is-forbidden",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const bob = { headers: { Authorization: "Bearer bob-token" } };
      return [
        (await agent.ask("GetTask", { id }, bob))["code"],
        (await agent.ask("GetTask", { id: unknownTask }, bob))["code"],
      ];
    },
    [
      [-32001, -32001],
      [-31403, -32001],
    ],
  ),
  row(
    "mute-login",
    async (agent) => (await agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" })).text === "",
    [false, true],
  ),
  row(
    "key-in-query",
    async ({ url }) => (await plain(`${url}/tasks?key=alice-key`, { headers: { "A2A-Version": "1.0" } })).status,
    [401, 200],
  ),
  row(
    "key-in-cookie",
    async ({ url }) => {
      const headers = { "A2A-Version": "1.0", Cookie: "x=1; agent-key=alice-key" };
      return (await plain(`${url}/tasks`, { headers })).status;
    },
    [401, 200],
  ),
  row(
    "slows-guessing",
    async (agent) => {
      const guess = () => agent.hear("JSONRPC", "ListTasks", {}, { Authorization: "Bearer nobody" });
      return (await Promise.all(Array.from({ length: 40 }, guess))).some(({ status }) => status === 429);
    },
    [false, true],
  ),
];

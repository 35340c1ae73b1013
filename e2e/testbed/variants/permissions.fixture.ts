import type { JsonObject, ListTasksResponse, Task } from "@assay/protocol";
import { say, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { keysOf, type Row, row } from "./row.fixture.ts";

export const permissionRows: readonly Row[] = [
  row(
    "capped-pages",
    async (agent) => {
      for (const text of ["one", "two", "three"]) await agent.task(`task-lifecycle ${text}`);
      const { tasks, pageSize } = await agent.ask<ListTasksResponse>("ListTasks", { pageSize: 3 });
      return [tasks.length, pageSize];
    },
    [
      [3, 3],
      [2, 2],
    ],
  ),
  row(
    "short-pages",
    async (agent) => {
      const contextId = crypto.randomUUID();
      for (let count = 0; count < 3; count++)
        await agent.task("task-lifecycle hi", { message: say("task-lifecycle hi", { contextId }) });
      const page = await agent.ask<ListTasksResponse>("ListTasks", { contextId, pageSize: 2 });
      return [page.tasks.length, page.pageSize, page.nextPageToken !== ""];
    },
    [
      [2, 2, true],
      [1, 2, true],
    ],
  ),
  row(
    "recognises-repeats",
    async (agent) => {
      const request = sending("task-lifecycle hi");
      const ids = [1, 2].map(async () => (await agent.ask<{ task: Task }>("SendMessage", request)).task.id);
      return new Set(await Promise.all(ids)).size;
    },
    [2, 1],
  ),
  row(
    "goes-on-by-itself",
    async (agent) => {
      const { id, status } = await agent.task("auth-required hi");
      if (!agent.isBase) await agent.ending(id);
      return [status.state, await agent.stateOf(id)];
    },
    [
      ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_AUTH_REQUIRED"],
      ["TASK_STATE_AUTH_REQUIRED", "TASK_STATE_COMPLETED"],
    ],
  ),
  row(
    "own-words",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return text.includes("Das ging leider schief.");
    },
    [false, true],
  ),
  row(
    "odd-tenants",
    async (agent) => {
      const [, , , , tenant] = ((await agent.card())["supportedInterfaces"] as JsonObject[]).map(
        (each) => each["tenant"],
      );
      const listed = await agent.hear("HTTP+JSON", "ListTasks", { tenant });
      return [tenant, listed.status];
    },
    [
      ["north", 200],
      ["north/east", 200],
    ],
  ),
  row(
    "card-by-rank",
    async (agent) => {
      const skillsFor = async (name: string) => {
        const headers = { Authorization: `Bearer ${name}-token` };
        const card = await agent.ask<{ skills?: { id: string }[] }>("GetExtendedAgentCard", {}, { headers });
        return card.skills?.some(({ id }) => id === "admin-status");
      };
      return [await skillsFor("alice"), await skillsFor("carol")];
    },
    [
      [true, undefined],
      [true, false],
    ],
  ),
  row("own-binding", async (agent) => ((await agent.card())["supportedInterfaces"] as JsonObject[]).length, [5, 6]),
  row(
    "extension-method",
    async (agent) => {
      const call = { jsonrpc: "2.0", id: 1, method: "assay.timing/elapsed", params: {} };
      const heard = [{}, { Authorization: "" }].map(async (headers) => {
        const { text, status } = await agent.post(call, { "A2A-Version": "1.0", ...headers });
        return [status, keysOf(JSON.parse(text)).at(-1)];
      });
      return Promise.all(heard);
    },
    [
      [
        [200, "error"],
        [401, "error"],
      ],
      [
        [200, "result"],
        [401, "error"],
      ],
    ],
  ),
];

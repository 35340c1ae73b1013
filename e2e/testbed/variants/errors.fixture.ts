import type { ServiceError } from "@grpc/grpc-js";
import { plain, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { keysOf, type Row, row } from "./row.fixture.ts";

export const errorRows: readonly Row[] = [
  row(
    "old-error-column",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const overGrpc = agent.grpc().all("SubscribeToTask", { id });
      const status = await overGrpc.catch((error: ServiceError) => error.code);
      return [await agent.ask("CancelTask", { id }, { binding: "HTTP+JSON" }), status];
    },
    [
      [{ code: 400, reason: "TASK_NOT_CANCELABLE" }, 9],
      [{ code: 409, reason: "TASK_NOT_CANCELABLE" }, 12],
    ],
  ),
  row(
    "no-error-info",
    async (agent) => {
      const { text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return keysOf(JSON.parse(text).error);
    },
    [
      ["code", "message", "data"],
      ["code", "message"],
    ],
  ),
  row(
    "no-error-status",
    async (agent) => {
      const { text } = await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask });
      return keysOf(JSON.parse(text).error).toSorted();
    },
    [
      ["code", "details", "message", "status"],
      ["code", "details", "message"],
    ],
  ),
  row(
    "rest-plain-parse-error",
    async ({ url }) => {
      const headers = { "A2A-Version": "1.0", "Content-Type": "application/json" };
      const { text } = await plain(`${url}/message:send`, { method: "POST", headers, body: "{" });
      return "details" in JSON.parse(text).error;
    },
    [true, false],
  ),
  row(
    "uniform-403",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const bob = { headers: { Authorization: "Bearer bob-token" } };
      return [await agent.ask("GetTask", { id }, bob), await agent.ask("GetTask", { id: unknownTask }, bob)];
    },
    [
      [
        { code: -32001, reason: "TASK_NOT_FOUND" },
        { code: -32001, reason: "TASK_NOT_FOUND" },
      ],
      [
        { code: -31403, reason: "PERMISSION_DENIED" },
        { code: -31403, reason: "PERMISSION_DENIED" },
      ],
    ],
  ),
  row(
    "unconfigured-card",
    async (agent) => {
      const headers = { Authorization: "Bearer agentbin-test-token" };
      return (await agent.ask("GetExtendedAgentCard", {}, { headers }))["code"];
    },
    [undefined, -32007],
  ),
  // They respond with messages and create no task.
  row("messages-without-list", async (agent) => (await agent.ask("ListTasks", {}))["code"], [undefined, -32601], {
    refuses: true,
  }),
  row("messages-alone", async (agent) => (await agent.ask("GetTask", { id: unknownTask }))["code"], [-32001, -32601], {
    refuses: true,
  }),
  row(
    "messages-without-paths",
    async (agent) => (await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask })).text.includes("TASK_NOT_FOUND"),
    [true, false],
    { refuses: true },
  ),
  row(
    "wants-other-messages",
    async (agent) => (await agent.ask("SendMessage", sending("hi")))["code"],
    [undefined, -32004],
    { refuses: true },
  ),
  row(
    "takes-orders-only",
    async (agent) => (await agent.ask("SendMessage", sending("hi")))["code"],
    [undefined, -32600],
    { refuses: true },
  ),
  row(
    "messages-unsupported",
    async (agent) => (await agent.ask("GetTask", { id: unknownTask }))["code"],
    [-32001, -32004],
    { refuses: true },
  ),
  row("no-good-answer", async (agent) => (await agent.ask("SendMessage", sending("hi")))["code"], [undefined, -32006], {
    refuses: true,
  }),
  // Only in the first response, so the following tests do not see it.
  row("stumbles", async (agent) => (await agent.ask("ListTasks", {}))["code"], [undefined, -32603]),
  row("asks-for-patience", async (agent) => (await agent.hear("JSONRPC", "ListTasks", {})).status, [200, 429]),
];

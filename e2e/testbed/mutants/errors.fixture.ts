import { unknownTask } from "../../fixtures/testbed.fixture.ts";
import { bob, error, type Row, row } from "./row.fixture.ts";

export const errorRows: readonly Row[] = [
  row(
    "ERR-009.names-the-owner",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const { text } = await agent.hear("JSONRPC", "GetTask", { id }, bob);
      return /\balice\b/.test(text);
    },
    [false, true],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { headers: bob }),
  ),
  row(
    "ERR-029.internal",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return agent.ask("CancelTask", { id }, { binding: "HTTP+JSON" });
    },
    [error(400, "TASK_NOT_CANCELABLE"), error(500, "INTERNAL_ERROR")],
  ),
];

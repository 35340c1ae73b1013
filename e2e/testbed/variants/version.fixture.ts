import { sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { outcome, type Row, row } from "./row.fixture.ts";

export const versionRows: readonly Row[] = [
  row(
    "version-optional",
    async (agent) =>
      outcome(await agent.ask("SendMessage", sending("message-only x"), { headers: { "A2A-Version": "" } })),
    [-32009, "message"],
  ),
  row(
    "any-minor",
    async (agent) =>
      Promise.all(
        ["1.99", "2.0"].map(async (version) =>
          outcome(await agent.ask("SendMessage", sending("message-only x"), { headers: { "A2A-Version": version } })),
        ),
      ),
    [
      [-32009, -32009],
      ["message", -32009],
    ],
  ),
  row(
    "task-before-version",
    async (agent) =>
      Promise.all(
        (["GetTask", "ListTasks"] as const).map(async (operation) =>
          outcome(await agent.ask(operation, { id: unknownTask }, { headers: { "A2A-Version": "99.0" } })),
        ),
      ),
    [
      [-32009, -32009],
      [-32001, -32009],
    ],
  ),
];

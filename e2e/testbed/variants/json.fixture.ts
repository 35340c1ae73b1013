import type { Message } from "@assay/protocol";
import type { Subject } from "../../fixtures/subject.fixture.ts";
import { sending } from "../../fixtures/testbed.fixture.ts";
import { keysOf, outcome, type Row, row } from "./row.fixture.ts";

const rawAnswer = async (agent: Subject) =>
  (await agent.hear("JSONRPC", "SendMessage", sending("task-lifecycle hi"))).text;

export const jsonRows: readonly Row[] = [
  row("sorted-members", async (agent) => (await rawAnswer(agent)).slice(0, 9), ['{"jsonrpc', '{"id": "c']),
  row("pretty-json", async (agent) => (await rawAnswer(agent)).split("\n").length > 10, [false, true]),
  row(
    "unknown-members",
    async (agent) => keysOf((await agent.task("task-lifecycle hi")).status),
    [
      ["state", "timestamp"],
      ["state", "timestamp", "x-vendor", "x_trace"],
    ],
    { tolerance: "members that the schema does not know" },
  ),
  row("empty-metadata", async (agent) => (await agent.task("task-lifecycle hi")).metadata, [undefined, {}]),
  row("microseconds", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [24, 27]),
  row("whole-seconds", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [24, 20]),
  row("no-timestamps", async (agent) => (await agent.task("task-lifecycle hi")).status.timestamp?.length, [
    24,
    undefined,
  ]),
  row(
    "context-free-messages",
    async (agent) => keysOf((await agent.ask<{ message: Message }>("SendMessage", sending("message-only x"))).message),
    [
      ["messageId", "contextId", "role", "parts"],
      ["messageId", "role", "parts"],
    ],
  ),
  row(
    "takes-roleless",
    async (agent) => {
      const { messageId, parts } = sending("task-lifecycle hi").message;
      return outcome(await agent.ask("SendMessage", { message: { messageId, parts } }));
    },
    [-32602, "task"],
  ),
];

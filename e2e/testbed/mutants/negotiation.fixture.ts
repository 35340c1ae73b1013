import type { Task } from "@assay/protocol";
import { expect } from "vitest";
import { bindings, sending } from "../../fixtures/testbed.fixture.ts";
import { olderCall, type Row, row, taskNotFound } from "./row.fixture.ts";

export const negotiationRows: readonly Row[] = [
  row(
    "VER-005.any",
    async (agent) =>
      Promise.all(
        bindings.map(async (binding) => {
          const answer = await agent.ask("SendMessage", sending("message-only hi"), {
            binding,
            headers: { "A2A-Version": "99.0" },
          });
          return answer["code"] ?? Object.keys(answer)[0];
        }),
      ),
    [
      [-32009, 400],
      ["message", "message"],
    ],
    (agent) => agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Version": "" } }),
  ),
  row(
    "VER-013.streams-unchecked",
    async (agent) => {
      const headers = { "A2A-Version": "99.0" };
      return (await agent.hear("JSONRPC", "SendStreamingMessage", sending("message-only hi"), headers)).headers[
        "content-type"
      ];
    },
    ["application/json", "text/event-stream"],
    (agent) => agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Version": "99.0" } }),
  ),
  row(
    "VER-014.exact-spelling",
    async (agent) => {
      const headers = { "A2A-Version": "", "a2a-version": "1.0" };
      const answer = await agent.ask("SendMessage", sending("message-only hi"), { headers });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    ["message", -32009],
  ),
  row("VER-017.new-names", async (agent) => (await olderCall(agent, "message/send", "task-lifecycle hi"))["status"], [
    { state: "completed", timestamp: expect.any(String) },
    { state: "TASK_STATE_COMPLETED", timestamp: expect.any(String) },
  ]),
  row(
    "EXT-008.decoration",
    async (agent) => {
      const answer = await agent.ask("SendMessage", sending("message-only hi"), { headers: { "A2A-Extensions": "" } });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    [-32008, "message"],
  ),
  row(
    "EXT-011.echoes",
    async (agent) => {
      const headers = { "A2A-Extensions": "urn:assay:extension:timing:v1, urn:example:unheard-of" };
      const heard = await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"), headers);
      return heard.headers["a2a-extensions"];
    },
    ["urn:assay:extension:timing:v1", "urn:assay:extension:timing:v1, urn:example:unheard-of"],
  ),
  row(
    "TEN-005.any",
    async (agent) => {
      const answer = await agent.ask("SendMessage", { tenant: "nowhere", ...sending("message-only hi") });
      return answer["code"] ?? Object.keys(answer)[0];
    },
    [-32602, "message"],
  ),
  row(
    "TEN-006.one-room",
    async (agent) => {
      const { task } = await agent.ask<{ task: Task }>("SendMessage", {
        tenant: "north",
        ...sending("task-lifecycle x"),
      });
      const { status, ...refused } = await agent.ask<Task>("GetTask", { tenant: "south", id: task.id });
      return status?.state ?? refused;
    },
    [taskNotFound, "TASK_STATE_COMPLETED"],
  ),
];

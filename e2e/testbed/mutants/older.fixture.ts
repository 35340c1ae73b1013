import type { JsonObject } from "@assay/protocol";
import { olderCall, olderStream, type Row, row } from "./row.fixture.ts";

export const olderRows: readonly Row[] = [
  row(
    "V03-CARD-001.no-url",
    async (agent) => typeof (await agent.card())["url"],
    ["string", "undefined"],
    (agent) => olderCall(agent, "message/send", "message-only hi").then(({ parts }) => parts),
  ),
  row(
    "V03-DATA-001.no-kind",
    async (agent) => (await olderCall(agent, "message/send", "task-lifecycle hi"))["kind"],
    ["task", undefined],
    (agent) => olderStream(agent, "message/stream"),
  ),
  row(
    "V03-STREAM-004.never-final",
    (agent) => olderStream(agent, "message/stream"),
    [true, false],
    (agent) => olderCall(agent, "message/send", "message-only hi").then(({ parts }) => parts),
  ),
  row(
    "V02-CARD-001.new-name-only",
    async (agent) => (await agent.get("/.well-known/agent.json")).status,
    [200, 404],
    async (agent) => (await agent.get("/.well-known/agent-card.json")).status,
  ),
  row(
    "V01-SEND-001.wrapped",
    async (agent) => Object.keys(await olderCall(agent, "tasks/send", "task-lifecycle hi"))[0],
    ["id", "task"],
    (agent) => olderStream(agent, "tasks/sendSubscribe"),
  ),
  row(
    "V01-STREAM-001.never-final",
    (agent) => olderStream(agent, "tasks/sendSubscribe"),
    [true, false],
    (agent) =>
      olderCall(agent, "tasks/send", "task-lifecycle hi").then(({ status }) => (status as JsonObject)["state"]),
  ),
];

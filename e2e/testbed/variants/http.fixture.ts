import type { ServiceError } from "@grpc/grpc-js";
import type { Subject } from "../../fixtures/subject.fixture.ts";
import { quickly } from "../../fixtures/subject.fixture.ts";
import { collect, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { config, keysOf, onceOf, type Row, row } from "./row.fixture.ts";

/** Returns the status of a subscription, and disconnects at once. */
async function subscribing(agent: Subject, id: string, method: string): Promise<number> {
  const leaving = new AbortController();
  const request = { method, headers: { "A2A-Version": "1.0" }, signal: leaving.signal };
  const { status } = await fetch(`${agent.url}/tasks/${id}:subscribe`, request);
  leaving.abort();
  return status;
}

export const httpRows: readonly Row[] = [
  row(
    "split-bytes",
    async (agent) => {
      const { url, headers } = {
        url: agent.url,
        headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
      };
      const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: sending("message-only é") };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(call) });
      const chunks = await collect(response.body as AsyncIterable<Uint8Array>);
      return [chunks.length > 3, Buffer.concat(chunks).includes("é")];
    },
    [
      [false, true],
      [true, true],
    ],
  ),
  row(
    "chunked",
    async (agent) => {
      const { headers } = await agent.hear("JSONRPC", "SendMessage", sending("message-only x"));
      return [headers["transfer-encoding"], headers["connection"]];
    },
    [
      [undefined, "keep-alive"],
      ["chunked", "close"],
    ],
  ),
  row(
    "until-close",
    async (agent) => {
      const { headers } = await agent.hear("JSONRPC", "SendMessage", sending("message-only x"));
      return [headers["transfer-encoding"] ?? headers["content-length"] !== undefined, headers["connection"]];
    },
    [
      [true, "keep-alive"],
      [false, "close"],
    ],
  ),
  row(
    "slow-first-byte",
    async (agent) => {
      const isQuick = async (): Promise<boolean> => {
        const start = Date.now();
        await agent.card();
        return Date.now() - start < 330;
      };
      return onceOf(isQuick, agent.isBase ? 100 : 3);
    },
    [true, false],
  ),
  row(
    "rest-201-204",
    async (agent) => {
      const given = await config(agent, "one");
      const made = await agent.hear("HTTP+JSON", "CreateTaskPushNotificationConfig", given);
      const gone = await agent.hear("HTTP+JSON", "DeleteTaskPushNotificationConfig", {
        taskId: given.taskId,
        id: "one",
      });
      return [made.status, JSON.parse(made.text).id, gone.status, gone.text];
    },
    [
      [200, "one", 200, "{}"],
      [201, "one", 204, ""],
    ],
  ),
  row("plain-json", async (agent) => (await agent.hear("HTTP+JSON", "ListTasks", {})).headers["content-type"], [
    "application/a2a+json",
    "application/json; charset=utf-8",
  ]),
  row(
    "rpc-http-status",
    async (agent) => {
      const { status, text } = await agent.hear("JSONRPC", "GetTask", { id: unknownTask });
      return [status, JSON.parse(text).error.code];
    },
    [
      [200, -32001],
      [400, -32001],
    ],
  ),
  row(
    "subscribe-by-post",
    async (agent) => {
      const { id } = await agent.task("slow 600", quickly);
      const byPost = await agent.events("SubscribeToTask", { id }, { binding: "HTTP+JSON", leaveAfter: 1 });
      return [await subscribing(agent, id, "GET"), byPost.events.map(keysOf)];
    },
    [
      [200, [["task"]]],
      [405, [["task"]]],
    ],
  ),
  row(
    "subscribe-by-get",
    async (agent) => {
      const { id } = await agent.task("slow 600", quickly);
      return Promise.all(["GET", "POST"].map((method) => subscribing(agent, id, method)));
    },
    [
      [200, 200],
      [200, 405],
    ],
  ),
  row(
    "grpc-extras",
    async (agent) => {
      const failed = await agent
        .grpc()
        .ask("GetTask", { id: unknownTask })
        .catch((error: ServiceError) => error);
      return (failed as ServiceError).metadata.get("x-served-by");
    },
    [[], ["assay"]],
  ),
];

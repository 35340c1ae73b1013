import type { JsonObject, ListTasksResponse, Message, Task } from "@assay/protocol";
import type { ServiceError } from "@grpc/grpc-js";
import { quickly, type Subject } from "../../fixtures/subject.fixture.ts";
import { sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { anonymous, kinds, listed, type Row, row, stream } from "./row.fixture.ts";

const grpcChat = async (agent: Subject) =>
  (await agent.grpc().ask<{ message: Message }>("SendMessage", sending("message-only hi"))).message.parts;

/** The failure of a gRPC call: its status, its text, and whether it has details. */
const grpcFailure = async (work: Promise<unknown>) => {
  const failed = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  );
  const [details] = failed?.metadata.get("grpc-status-details-bin") ?? [];
  return failed && [failed.code, failed.details !== "", details !== undefined];
};

export const bindingRows: readonly Row[] = [
  row(
    "JSONRPC-002.text",
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"))).headers["content-type"],
    ["application/json", "text/plain"],
    async (agent) => (await agent.hear("HTTP+JSON", "SendMessage", sending("message-only hi"))).headers["content-type"],
  ),
  row(
    "JSONRPC-004.id-as-text",
    async (agent) => {
      const call = { jsonrpc: "2.0", id: 7, method: "SendMessage", params: sending("message-only hi") };
      return (JSON.parse((await agent.post(call)).text) as JsonObject)["id"];
    },
    [7, "7"],
  ),
  row(
    "JSONRPC-006.html",
    async (agent) => {
      const { status, text } = await agent.post({ jsonrpc: "2.0", id: 7, method: "NoSuchMethod", params: {} });
      return [status, text.startsWith("{") ? JSON.parse(text).error.code : text.slice(0, 9)];
    },
    [
      [200, -32601],
      [404, "<!doctype"],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),
  row(
    "JSONRPC-012.object",
    async (agent) => {
      const { error } = JSON.parse((await agent.hear("JSONRPC", "GetTask", { id: unknownTask })).text);
      return [error.code, Array.isArray(error.data) ? error.data[0].reason : error.data];
    },
    [
      [-32001, "TASK_NOT_FOUND"],
      [-32001, { reason: "TASK_NOT_FOUND" }],
    ],
    (agent) => agent.ask("GetTask", { id: unknownTask }, { binding: "HTTP+JSON" }),
  ),
  row(
    "JSONRPC-017.bare",
    async (agent) => Object.keys(JSON.parse(/^data: (.*)$/m.exec((await stream(agent, "task-lifecycle hi")).raw)![1]!)),
    [["jsonrpc", "id", "result"], ["task"]],
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
  ),
  row(
    "JSONRPC-018.one-newline",
    async (agent) => {
      const { raw } = await stream(agent, "task-lifecycle hi");
      return [raw.match(/^data: /gm)?.length, raw.match(/\n\n/g)?.length ?? 0];
    },
    [
      [4, 4],
      [4, 0],
    ],
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
  ),
  row(
    "REST-005.colon",
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.hear("HTTP+JSON", "CancelTask", { id })).status;
    },
    [200, 405],
    async (agent) => {
      const { id } = await agent.task("task-cancel hi", quickly);
      return (await agent.ask<Task>("CancelTask", { id })).status.state;
    },
  ),
  row(
    "REST-020.presence",
    async (agent) => {
      const { contextId } = await listed(agent, {}, 1);
      const page = await agent.ask<ListTasksResponse>(
        "ListTasks",
        { contextId, includeArtifacts: false },
        { binding: "HTTP+JSON" },
      );
      return page.tasks[0]!.artifacts?.length;
    },
    [undefined, 1],
  ),
  row(
    "REST-027.problem",
    async (agent) => {
      const { headers, text } = await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask });
      return [headers["content-type"], Object.keys(JSON.parse(text) as object)];
    },
    [
      ["application/a2a+json", ["error"]],
      ["application/problem+json", ["type", "title", "status", "instance"]],
    ],
  ),
  row(
    "REST-030.short-type",
    async (agent) => {
      const { error } = JSON.parse((await agent.hear("HTTP+JSON", "GetTask", { id: unknownTask })).text);
      return error.details[0]["@type"];
    },
    ["type.googleapis.com/google.rpc.ErrorInfo", "google.rpc.ErrorInfo"],
    (agent) => agent.ask("GetTask", { id: unknownTask }),
  ),
  row(
    "REST-033.enveloped",
    async (agent) => {
      const { raw } = await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" });
      return Object.keys(JSON.parse(/^data: (.*)$/m.exec(raw)![1]!) as object);
    },
    [["task"], ["jsonrpc", "id", "result"]],
  ),
  row(
    "GRPC-004.shifted",
    async (agent) => Object.keys(await agent.grpc().ask("SendMessage", sending("task-lifecycle hi"))),
    [["task"], []],
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      return (await agent.grpc().ask<Task>("GetTask", { id })).status.state;
    },
  ),
  row(
    "GRPC-005.lists-unchecked",
    async (agent) => {
      const old = agent.grpc({ "A2A-Version": "0.5" });
      return old.ask<{ tasks: Task[] }>("ListTasks", { pageSize: 1 }).then(
        ({ tasks }) => tasks.length,
        (failed: ServiceError) => failed.code,
      );
    },
    [9, 0],
    grpcChat,
  ),
  row(
    "GRPC-008.no-trailers",
    (agent) => grpcFailure(agent.grpc().all("SendStreamingMessage", sending("task-lifecycle hi"))),
    [undefined, [2, true, false]],
    grpcChat,
  ),
  row(
    "GRPC-012.no-details",
    (agent) => grpcFailure(agent.grpc().ask("GetTask", { id: unknownTask })),
    [
      [5, true, true],
      [5, true, false],
    ],
    grpcChat,
  ),
  row(
    "GRPC-013.silent",
    (agent) => grpcFailure(agent.grpc().ask("GetTask", { id: unknownTask })),
    [
      [5, true, true],
      [5, false, true],
    ],
    grpcChat,
  ),
  row(
    "BIND-004.open-grpc",
    (agent) => grpcFailure(agent.grpc(anonymous).ask("SendMessage", sending("message-only hi"))),
    [[16, true, true], undefined],
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("message-only hi"), anonymous)).status,
  ),
];

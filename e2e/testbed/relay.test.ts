import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  agentMessage,
  ask,
  aTimestamp,
  bindings,
  collect,
  follow,
  sending,
  taskFrom,
  useTestbed,
} from "../fixtures/testbed.fixture.ts";

const here = useTestbed();
const there = useTestbed();

describe.each(bindings)("one agent asks another, over %s", (binding) => {
  const relay = (rest: string) => taskFrom(`${here.url}/spec`, binding, `relay ${rest}`);

  test.each(["echo", "echo/", "echo/.well-known/agent-card.json"])("relays to /%s", async (path) => {
    const task = await relay(`${there.url}/${path} hello, you`);
    expect(task.status).toEqual({ state: "TASK_STATE_COMPLETED", timestamp: aTimestamp });
    expect(task.artifacts).toEqual([{ artifactId: "relayed", name: "relayed", parts: [{ text: "Echo: hello, you" }] }]);
  });

  test("returns the artifacts of the other task", async () => {
    const task = await relay(`${there.url}/spec task-lifecycle for a friend`);
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: "[task-lifecycle] Processed: task-lifecycle for a friend" }]);
    const { tasks } = await ask(`${there.url}/spec`, binding, "ListTasks", { includeArtifacts: true, pageSize: 1 });
    expect(tasks[0]?.artifacts?.[0]?.parts).toEqual(task.artifacts?.[0]?.parts);
  });

  test.each([
    ["spec03", "task-lifecycle for 0.3", "[task-lifecycle] Processed: task-lifecycle for 0.3"],
    ["spec02", "message-only for 0.2", "[message-only] You said: message-only for 0.2"],
    ["spec01", "task-lifecycle for 0.1", "[task-lifecycle] Processed: task-lifecycle for 0.1\nThe task is completed."],
    // The first response has a running task, so the relay polls until it ends.
    ["spec01", "slow 3", "[slow] Done after 3 s\nThe task is completed."],
  ])("that speaks an older version: /%s %s", async (path, said, answer) => {
    const task = await relay(`${there.url}/${path} ${said}`);
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: answer }]);
  });

  test("relays through a chain of two", async () => {
    const task = await relay(`${there.url}/full relay ${here.url}/echo deep`);
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: "Echo: deep" }]);
  });

  test("streams its progress", async () => {
    const url = `${there.url}/echo`;
    const events = await collect(
      follow(`${here.url}/spec`, binding, "SendStreamingMessage", sending(`relay ${url} hi`)),
    );
    expect(
      events.slice(1).map(({ statusUpdate, artifactUpdate }) => artifactUpdate?.artifact.parts ?? statusUpdate?.status),
    ).toEqual([
      {
        state: "TASK_STATE_WORKING",
        timestamp: aTimestamp,
        message: expect.objectContaining({ parts: [{ text: `[relay] Asking ${url}` }] }),
      },
      [{ text: "Echo: hi" }],
      { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp },
    ]);
  });

  test.each<[string, () => string]>([
    ["nobody is there", () => "http://127.0.0.1:1/ hi"],
    ["the address is no URL", () => "nonsense hi"],
    ["the address is private", () => "http://10.255.255.1/ hi"],
    ["the address is a metadata service", () => "http://169.254.169.254/ hi"],
    ["the other requires an extension", () => `${there.url}/strict message-only hi`],
  ])("fails and says so when %s", async (_name, rest) => {
    const task = await relay(rest());
    expect(task.status).toEqual({
      state: "TASK_STATE_FAILED",
      timestamp: aTimestamp,
      message: agentMessage(expect.stringMatching(/^\[relay\] \S/), { taskId: task.id, contextId: task.contextId! }),
    });
  });

  test("fails with a reason if there is no card", async () => {
    const server = createServer((_request, response) => response.writeHead(404).end("nothing"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const task = await relay(`http://127.0.0.1:${(server.address() as AddressInfo).port} hi`);
    expect([task.status.state, task.status.message?.parts[0]?.text]).toEqual([
      "TASK_STATE_FAILED",
      expect.stringMatching(/^\[relay\] No agent card at http:\/\/127\.0\.0\.1:\d+ \(/),
    ]);
    server.closeAllConnections();
    server.close();
  });

  test("a relay follows no redirect", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(302, { Location: `${there.url}/echo/.well-known/agent-card.json` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const task = await relay(`http://127.0.0.1:${(server.address() as AddressInfo).port}/agent-card.json hi`);
    expect([task.status.state, asked]).toEqual(["TASK_STATE_FAILED", ["/agent-card.json"]]);
    server.closeAllConnections();
    server.close();
  });

  test("rejects a message without an address and a text", async () => {
    const { status } = await relay("hello");
    expect([status.state, status.message?.parts]).toEqual([
      "TASK_STATE_REJECTED",
      [{ text: "[relay] Say: relay <cardUrl> <text>" }],
    ]);
  });

  test("can be canceled while the other agent works", async () => {
    const agent = `${here.url}/spec`;
    const started = await taskFrom(agent, binding, `relay ${there.url}/spec slow 60`, { returnImmediately: true });
    const { status } = await ask(agent, binding, "CancelTask", { id: started.id });
    expect(status.state).toBe("TASK_STATE_CANCELED");
  });
});

test("a relay that is canceled before the other agent has named its task cancels that task, too", async () => {
  const methods: string[] = [];
  let answer: () => void = () => {};
  const other = createServer((request, response) => {
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const interfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    if (request.method === "GET") {
      response.end(JSON.stringify({ name: "slow", supportedInterfaces: interfaces }));
      return;
    }
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(body);
      methods.push(method);
      const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
      const result = method === "SendMessage" ? { task } : task;
      answer = () =>
        response.setHeader("Content-Type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method !== "SendMessage") answer();
    });
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const agent = `${here.url}/spec`;
  const cardUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const started = await taskFrom(agent, "JSONRPC", `relay ${cardUrl} hello`, { returnImmediately: true });
  await expect.poll(() => methods).toEqual(["SendMessage"]);
  await ask(agent, "JSONRPC", "CancelTask", { id: started.id });
  answer();
  await expect.poll(() => methods).toEqual(["SendMessage", "CancelTask"]);
  other.closeAllConnections();
  other.close();
});

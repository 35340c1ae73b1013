import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ScriptedAgent, startScriptedAgent } from "./agent.fixture.ts";
import { startMcpProcess } from "./mcp-client.fixture.ts";

const task = (state: string) => ({ id: "task-1", contextId: "context-1", status: { state } });

/** An agent whose only task never ends: a run waits for it until it is stopped, and then cancels it. */
const endless = (): Promise<ScriptedAgent> =>
  startScriptedAgent(({ method }) => {
    if (method === "SendMessage") return { result: { task: task("TASK_STATE_WORKING") } };
    if (method === "CancelTask") return { result: task("TASK_STATE_CANCELED") };
    return method === "GetTask" ? { result: task("TASK_STATE_WORKING") } : { error: { code: -32001, message: "no" } };
  });

const sends = ({ calls }: ScriptedAgent): number => calls.filter(({ method }) => method === "SendMessage").length;

/** The events of the only run in a folder. */
function eventsIn(runs: string): { readonly event: string; readonly ending?: string }[] {
  const folder = join(runs, "runs");
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".ndjson")) : [];
  const lines = files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

test("a cancelled call stops: the task is cancelled and no further message comes", async () => {
  const agent = await endless();
  const { call, runs } = await startMcpProcess();
  const cancel = new AbortController();
  const running = call("test_agent", { url: agent.url }, { signal: cancel.signal });
  await agent.called("SendMessage");
  cancel.abort("enough");
  await expect(running).rejects.toThrow("enough");
  await agent.called("CancelTask");
  // A run that nobody stops waits for the task, goes on with other messages, and ends as done.
  await expect.poll(() => eventsIn(runs).at(-1)).toMatchObject({ event: "run-finished", ending: "interrupted" });
  const sent = sends(agent);
  const { value } = await call("send_message", { url: agent.url, text: "after" });
  expect(value).toMatchObject({ answer: "task", state: "TASK_STATE_WORKING" });
  expect([sent, sends(agent)]).toEqual([1, 2]);
});

test("a cancelled message: the task that it started is cancelled", async () => {
  let cancelled = (): void => {};
  const isCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const agent = await startScriptedAgent(async ({ method }) => {
    if (method === "CancelTask") return { result: task("TASK_STATE_CANCELED") };
    await isCancelled;
    return { result: { task: task("TASK_STATE_WORKING") } };
  });
  const { call } = await startMcpProcess();
  const cancel = new AbortController();
  const running = call("send_message", { url: agent.url, text: "hi" }, { signal: cancel.signal });
  await agent.called("SendMessage");
  cancel.abort("enough");
  await expect(running).rejects.toThrow("enough");
  // The server reads its input in order: when it answers, it knows of the cancelled call.
  await call("explain_error", { error: "-32001" });
  cancelled();
  expect((await agent.called("CancelTask")).params).toMatchObject({ id: "task-1" });
});

test.each([
  ["check_card", {}],
  ["send_message", { text: "hi" }],
])("a cancelled %s that waits for the card closes its connection", async (tool, more) => {
  const agent = createServer().listen(0, "127.0.0.1");
  await once(agent, "listening");
  onTestFinished(() => void agent.close());
  const { call } = await startMcpProcess();
  const cancel = new AbortController();
  const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const running = call(tool, { url, ...more }, { signal: cancel.signal });
  const [request] = (await once(agent, "request")) as [IncomingMessage];
  const closed = once(request.socket, "close");
  cancel.abort("enough");
  await expect(running).rejects.toThrow("enough");
  await closed;
});

test("an agent that never answers is given up after the timeout of the caller", async () => {
  const agent = await startScriptedAgent(() => undefined);
  const { call } = await startMcpProcess();
  const { value } = await call("send_message", { url: agent.url, text: "hi", timeout: 1 });
  expect(value).toMatchObject({
    answer: "failure",
    details: { untrusted: expect.stringContaining("no byte arrived for 1000 ms") },
  });
});

/** The server without the official client, which would kill it after two seconds. */
async function calling(url: string): Promise<ChildProcess> {
  const runs = mkdtempSync(join(tmpdir(), "assay-mcp-"));
  const server = spawn(
    process.execPath,
    ["packages/cli/bin/assay.js", "mcp", "--runs", runs, "--shutdown-timeout", "200"],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void server.kill("SIGKILL"));
  const write = (message: object): void =>
    void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "raw", version: "0" };
  write({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  await once(server.stdout, "data");
  write({ method: "notifications/initialized" });
  write({ id: 2, method: "tools/call", params: { name: "test_agent", arguments: { url } } });
  return server;
}

test("the end of the client ends running tests, which clean up, and then the server", async () => {
  const agent = await endless();
  const server = await calling(agent.url);
  await agent.called("SendMessage");
  server.stdin!.end();
  const [code] = await once(server, "exit");
  expect(code).toBe(0);
  expect(agent.calls.map(({ method }) => method)).toContain("CancelTask");
});

test("so does a signal", async () => {
  const agent = await endless();
  const server = await calling(agent.url);
  await agent.called("SendMessage");
  server.kill("SIGTERM");
  const [code] = await once(server, "exit");
  expect(code).toBe(0);
  expect(agent.calls.map(({ method }) => method)).toContain("CancelTask");
});

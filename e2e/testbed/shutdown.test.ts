import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { startTestbed } from "@assay/agents";
import type { SendMessageResponse, StreamResponse } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { createEgressGuard, createPeer, createPeerClients } from "@assay/wire";
import { expect, onTestFinished, test, vi } from "vitest";
import { GrpcPeer, refusalOf } from "../fixtures/grpc.fixture.ts";
import { sending } from "../fixtures/testbed.fixture.ts";

const patience = { timeout: 250_000 };

/** The result of one request. */
type Outcome = "whole" | "cut off" | "closed before it" | "turned away";

async function startServer(...flags: string[]): Promise<{ child: ChildProcess; url: string }> {
  const args = ["packages/cli/bin/assay.js", "serve", "--port", "0", "--json", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface(child.stdout!)) return { child, url: JSON.parse(line).url as string };
  throw new Error("assay serve did not start");
}

function post(url: string, agent: Agent, body: object): Promise<{ outcome: Outcome; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    let hasAnswer = false;
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    const asking = request(url, { method: "POST", agent, headers }, (response) => {
      hasAnswer = true;
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () => resolve({ outcome: response.complete ? "whole" : "cut off", text }));
      response.on("error", () => resolve({ outcome: "cut off", text }));
    });
    asking.on("error", () => {
      // The server may close a kept connection between two requests. Every HTTP client handles that.
      const isIdle = asking.reusedSocket && !hasAnswer;
      // A new connection may find the port closed. Systems report that in different ways.
      const outcome = hasAnswer ? "cut off" : isIdle ? "closed before it" : "turned away";
      resolve({ outcome, text });
    });
    asking.end(JSON.stringify(body));
  });
}

const counted = (answers: readonly { outcome: Outcome }[], outcome: Outcome) =>
  answers.filter((answer) => answer.outcome === outcome).length;

const message = (text: string) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
});

/** Repeats requests over kept connections until the server accepts no more. */
async function keepAsking(url: string, text: string, told: { outcome: Outcome; text: string }[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let isOver = false; !isOver; ) {
    const answer = await post(url, agent, message(text));
    told.push(answer);
    isOver = answer.outcome === "turned away";
  }
  agent.destroy();
}

/** Sends a request without its body, so that it has arrived but the server has not started it. */
async function announced(port: number, path: string, body: string): Promise<{ send(): Promise<string> }> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  onTestFinished(() => void socket.destroy());
  let heard = "";
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "A2A-Version: 1.0",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ];
  socket.on("data", (more: string) => {
    heard += more;
  });
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await vi.waitFor(() => expect(heard).toContain("100 Continue"), patience);
  return {
    async send() {
      socket.write(body);
      await once(socket, "close");
      return heard.slice(heard.indexOf("\r\n\r\n") + 4);
    },
  };
}

test("a server that shuts down rejects new messages and creates no task for them", async () => {
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
  const begun = await bed.perform("spec", "SendMessage", {
    ...message("long-running on"),
    configuration: { returnImmediately: true },
  } as never);
  const rpc = (method: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: message("task-lifecycle") });
  const late = await Promise.all([
    announced(bed.port, "/spec/message:stream", JSON.stringify(message("task-lifecycle"))),
    announced(bed.port, "/spec/message:send", JSON.stringify(message("task-lifecycle"))),
    announced(bed.port, "/spec", rpc("SendStreamingMessage")),
    announced(bed.port, "/spec", rpc("SendMessage")),
  ]);
  const closed = bed.close(60_000);
  for (const request of late) {
    const answer = await request.send();
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^Retry-After: \d+\r$/m);
    expect(answer).toContain("shutting down");
  }
  expect(await bed.perform("spec", "ListTasks", {})).toMatchObject({ totalSize: 1 });
  await bed.perform("spec", "CancelTask", { id: begun.task!.id });
  await closed;
});

test("over gRPC, a server that shuts down finishes running calls and accepts no new ones", async () => {
  const faults: unknown[] = [];
  const closing = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "test",
    timeScale: 0.1,
    onError: (error) => faults.push(error),
  });
  const peer = new GrpcPeer(`127.0.0.1:${closing.port}`, grpcV10);
  onTestFinished(() => peer.close());
  const seen: StreamResponse[] = [];
  const following = async () => {
    for await (const event of peer.open<StreamResponse>("SendStreamingMessage", sending("task-cancel go"))) {
      seen.push(event as StreamResponse);
    }
    return seen.at(-1)?.statusUpdate?.status.state;
  };
  const waiting = async () =>
    (await peer.ask<SendMessageResponse>("SendMessage", sending("task-cancel go"))).task?.status.state;
  const calls = Promise.allSettled([following(), waiting()]);
  await expect.poll(() => seen.length).toBe(2);
  // The grace period is longer than this test.
  await closing.close(600_000);
  // The work ended, and the waiting clients got the result before the connection closed.
  const completed = { status: "fulfilled", value: "TASK_STATE_COMPLETED" };
  expect(await calls).toEqual([completed, completed]);
  expect(await refusalOf(peer.call("ListTasks", {}))).toEqual({ status: "UNAVAILABLE", reason: "" });
  expect(faults).toEqual([]);
});

test("a server that stops under load completes all responses, ends every stream with a reason and exits with 0", async () => {
  const { child, url } = await startServer("--time-scale", "0.05", "--drain-delay", "0.5", "--shutdown-grace", "1");
  const clients = createPeerClients({ guard: createEgressGuard({ allowLoopback: true }), userAgent: "test" });
  onTestFinished(() => clients.close());
  const overGrpc = createPeer(clients, { url: new URL(url).host, binding: "GRPC", dialect: "1.0" });

  const unary: { outcome: Outcome; text: string }[] = [];
  const streams: { outcome: Outcome; text: string }[] = [];
  const load = [
    ...Array.from({ length: 6 }, () => keepAsking(`${url}/spec/message:send`, "task-lifecycle hi", unary)),
    ...Array.from({ length: 4 }, () => keepAsking(`${url}/spec/message:stream`, "streaming hi", streams)),
  ];
  // The task runs longer than the grace period, over both bindings.
  const long = post(`${url}/spec/message:stream`, new Agent(), message("slow 600"));
  const events: unknown[] = [];
  const longGrpc = overGrpc.stream("SendStreamingMessage", message("slow 600") as never).then(async (stream) => {
    for await (const event of stream.events) events.push(event);
  });
  // Both sides load gRPC with the first call.
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(0), patience);
  const whole = (answers: readonly { outcome: Outcome }[]) => counted(answers, "whole");
  await vi.waitFor(() => expect(Math.min(whole(unary), whole(streams))).toBeGreaterThan(10), patience);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  await Promise.all(load);

  expect(code).toBe(0);
  for (const answers of [unary, streams]) {
    expect(counted(answers, "cut off")).toBe(0);
    // At most once for each client, because clients disconnect when the server asks them to.
    expect(counted(answers, "closed before it")).toBeLessThanOrEqual(6);
  }
  const lastEvents = streams
    .filter(({ outcome }) => outcome === "whole")
    .map(({ text }) => text.trim().split("\n\n").at(-1));
  // A late request is rejected with a reason, too.
  for (const last of lastEvents) expect(last).toMatch(/TASK_STATE_COMPLETED|TASK_STATE_FAILED|UNAVAILABLE/);

  expect((await long).outcome).toBe("whole");
  expect((await long).text).toMatch(/TASK_STATE_FAILED.*The server is shutting down before this task is done/);
  await longGrpc;
  expect(events.at(-1)).toMatchObject({
    is: "value",
    value: { statusUpdate: { status: { state: "TASK_STATE_FAILED" } } },
  });
});

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";

// Agents that never finish a response: every wait of Assay ends, and the report says that Assay ended it.
// All of them wait at the same time.

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Something every few milliseconds, for as long as the peer stays. */
function drip(response: ServerResponse, what: string): void {
  const timer = setInterval(() => response.write(what), 20);
  response.on("close", () => clearInterval(timer));
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An agent with a good card and a peculiar way to answer calls. */
async function agent(answer: Answer, { streaming = false, grpc }: { streaming?: boolean; grpc?: string } = {}) {
  const host = await listening(
    createServer((request, response) => {
      if (request.method !== "GET") return answer(request, response);
      const own = { url: `http://${request.headers.host}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
      const other = { url: grpc, protocolBinding: "GRPC", protocolVersion: "1.0" };
      const card = {
        name: "Slow",
        description: "d",
        version: "1",
        supportedInterfaces: [grpc === undefined ? own : other],
        capabilities: { streaming },
        defaultInputModes: ["text/plain"],
        defaultOutputModes: ["text/plain"],
        skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
      };
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(card));
    }),
  );
  return `http://${host}`;
}

async function assay(...args: string[]): Promise<{ code: number; out: string }> {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(args, screen);
  return { code, out: screen.out() + screen.err() };
}

// A response may take the sum of both. Only a machine that stands still for 5 s misses a drop.
const impatient = ["--timeout", "5", "--task-timeout", "0.5"];
const testOf = (url: string, ...more: string[]) => assay("test", url, "--no-config", "--no-record", ...more);

describe.concurrent("an answer in drops", () => {
  test("a card", async () => {
    const url = await listening(
      createServer((_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        drip(response, " ");
      }),
    );
    const { code, out } = await testOf(`http://${url}`, ...impatient);
    expect(out).toContain("agent-card.json: timeout: the response was not complete after 5500 ms.");
    expect(out).toContain("--timeout <seconds>");
    expect(code).toBe(2);
  });

  test("a call", async () => {
    const url = await agent((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      drip(response, " ");
    });
    const { code, out } = await testOf(url, ...impatient);
    expect(out).toMatch(
      /[Nn]o response arrived in time from http:\/\/127.0.0.1:\d+\/rpc \(timeout: the response was not complete/,
    );
    expect(code).toBe(2);
  });

  test("a call over gRPC", async () => {
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      stream.on("error", () => {});
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      const timer = setInterval(() => (stream.destroyed ? clearInterval(timer) : stream.write(Buffer.from([0]))), 20);
    });
    const url = await agent(() => {}, { grpc: await listening(server) });
    const { code, out } = await testOf(url, ...impatient);
    expect(out).toMatch(
      /[Nn]o response arrived in time from http:\/\/127.0.0.1:\d+\/ \(timeout: the call was still open after 5500 ms/,
    );
    expect(code).toBe(2);
  });
});

describe.concurrent("an agent that never answers messages without a messageId", () => {
  const silent = (toAll: boolean): Promise<string> =>
    agent(async (request, response) => {
      const { id, method, params } = JSON.parse(await text(request));
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "OK" }] };
      if (method === "SendMessage" && (toAll || !params.message?.messageId)) return;
      const answer =
        method === "SendMessage" ? { result: { message } } : { error: { code: -32001, message: "no such task" } };
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: id ?? null, ...answer }));
    });
  const only = ["--only", "SEND-004", "--only", "SEND-001", ...impatient];

  test("breaks a rule if it answers others", async () => {
    const { out } = await testOf(await silent(false), ...only);
    expect(out).toContain("SendMessage with an empty messageId gets no response");
  });

  test("breaks none if it answers no message at all", async () => {
    const { out } = await testOf(await silent(true), ...only);
    expect(out).toContain("no response arrived");
    expect(out).not.toContain("gets no response");
  });
});

test.concurrent("--max-time ends a run that would go on, and what was found is kept", async () => {
  const url = await agent((_request, response) => drip(response, " "));
  const { code, out } = await testOf(url, "--max-time", "5");
  expect(out).toContain("The run reached its time limit of 5 s (--max-time)");
  expect(out).toMatch(/inconclusive/);
  expect(code).toBe(2);
});

test.concurrent("a stream that ends at a limit of ours was not closed by the server", async () => {
  const url = await agent(
    (_request, response) => {
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "and" }] };
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { message } })}\n\n`);
    },
    { streaming: true },
  );
  const { out } = await assay("send", url, "hi", "--stream", "--timeout", "5");
  expect(out).toContain("no byte arrived for 5000 ms");
  expect(out).toMatch(/stream closed by Assay after \d+ ms, 1 event/);
});

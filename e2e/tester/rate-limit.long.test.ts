import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, expect, test } from "vitest";

// Behind a rate limit, a quick run sends nothing for rules below MUST, and the report says so.

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** An agent with one task, which rejects every other call. */
async function limitedAgent(): Promise<string> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    response.setHeader("Content-Type", "application/json");
    if (request.method === "GET") return response.end(JSON.stringify(card(`http://127.0.0.1:${port}/`)));
    const { id, method, params } = JSON.parse(await text(request)) as {
      id: string;
      method: string;
      params: { id?: string };
    };
    if (calls++ % 2 === 0) return response.writeHead(429).end();
    const isOurs = request.headers["a2a-version"] === "1.0";
    const answer = !isOurs
      ? { error: { code: -32009, message: "Only version 1.0" } }
      : method === "SendMessage"
        ? { result: { task } }
        : method === "GetTask" && params.id === task.id
          ? { result: task }
          : { error: { code: method === "GetTask" ? -32001 : -32601, message: "no" } };
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: id ?? null, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const task = {
  id: "2f1c9a52-6f0e-4a39-9d6b-0a4f6f0c7b11",
  contextId: "context",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T08:00:00.001Z" },
};

const card = (url: string) => ({
  name: "Limited",
  description: "Accepts few requests.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "answer", name: "Answer", description: "Answers.", tags: ["test"] }],
});

test.concurrent.each([
  ["quick", "not-examined"],
  ["full", "pass"],
] as const)("at depth %s, a rule below MUST is %s", async (depth, verdict) => {
  const events: RunEvent[] = [];
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
  const url = await limitedAgent();
  // The rules about versions are examined first, with enough requests to slow the run down.
  const only = ["VER-*", "HIST-004"];
  for await (const event of testAgent({ url, run: "limited", version: "test", depth, only, connection }))
    events.push(event);
  const results = new Map(resultsOf(foldRun(events)).map((result) => [result.test, result.verdict]));
  expect([results.get("VER-014"), results.get("HIST-004")]).toEqual(["pass", verdict]);
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, expect, test } from "vitest";

// Agents whose responses wait for a reason other than the work on the task: SEND-012 compares only what the agent does
// while Assay sends nothing else.

interface Asked {
  readonly id: string;
  readonly method: string;
  readonly params: { readonly id?: string; readonly configuration?: { readonly returnImmediately?: boolean } };
}

/** Long enough to look like work, even beside a read on a busy machine. */
const lateMs = 1_500;

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** An agent whose tasks end at once, and whose responses are late as `late` says. */
async function quickAgent(late: (asked: Asked, immediate: number) => boolean): Promise<string> {
  let tasks = 0;
  let immediate = 0;
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    response.setHeader("Content-Type", "application/json");
    if (request.method === "GET") return response.end(JSON.stringify(card(`http://127.0.0.1:${port}/`)));
    const asked = JSON.parse(await text(request)) as Asked;
    const { id, method, params } = asked;
    if (method === "SendMessage" && params.configuration?.returnImmediately) immediate += 1;
    if (late(asked, immediate)) await delay(lateMs);
    const known = /^task-\d+$/.test(params.id ?? "") && Number(params.id!.slice(5)) <= tasks;
    const answer =
      method === "SendMessage"
        ? { result: { task: task(`task-${++tasks}`) } }
        : method === "GetTask" && known
          ? { result: task(params.id!) }
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

const task = (id: string) => ({
  id,
  contextId: "context",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T08:00:00.001Z" },
});

const card = (url: string) => ({
  name: "Quick",
  description: "Ends its tasks at once.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "answer", name: "Answer", description: "Answers.", tags: ["test"] }],
});

/** Returns the verdict of SEND-012, with its reason. */
async function judged(url: string): Promise<readonly unknown[]> {
  const events: RunEvent[] = [];
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
  for await (const event of testAgent({
    url,
    run: "queued",
    version: "test",
    depth: "full",
    only: ["SEND-012"],
    connection,
  }))
    events.push(event);
  const result = resultsOf(foldRun(events)).find(({ test: rule }) => rule === "SEND-012");
  return [result?.verdict, result?.unexamined];
}

const isMessage = ({ method }: Asked): boolean => method === "SendMessage";

test.concurrent("SEND-012 accuses no agent whose messages waited behind other requests", async () => {
  // The second message with returnImmediately is the one that Assay sends alone.
  const url = await quickAgent((asked, immediate) => isMessage(asked) && immediate < 2);
  expect(await judged(url)).toEqual(["not-examined", "prompt"]);
});

test.concurrent("SEND-012 accuses no agent that is far away", async () => {
  const url = await quickAgent(() => true);
  expect(await judged(url)).toEqual(["not-examined", "prompt"]);
});

test.concurrent("SEND-012 finds an agent that waits for its work", async () => {
  const url = await quickAgent(isMessage);
  expect(await judged(url)).toEqual(["fail", undefined]);
});

import { createEgressGuard, createPeer, createPeerClients } from "@assay/wire";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Testbed } from "../testbed/options.ts";
import { startTestbed } from "../testbed/testbed.ts";
import type { LoggedRequest } from "./request-log.ts";
import { currentRequest } from "./request-scope.ts";

const served: LoggedRequest[] = [];
const troubled: (string | undefined)[] = [];
let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "test",
    timeScale: 0,
    onServed: (request) => void served.push(request),
    onError: () => void troubled.push(currentRequest()?.requestId),
  });
});
afterAll(() => bed.close(0));
beforeEach(() => {
  served.length = 0;
});

test("every request is logged with its path, status and origin", async () => {
  await (await fetch(`${bed.url}/echo/.well-known/agent-card.json?key=hush`)).text();
  await (await fetch(`${bed.url}/nowhere`)).text();
  await expect.poll(() => served).toHaveLength(2);
  expect(served).toMatchObject([
    { method: "GET", path: "/echo/.well-known/agent-card.json", status: "200", from: "127.0.0.1" },
    { method: "GET", path: "/nowhere", status: "404" },
  ]);
});

const send = (text: string, id?: string) =>
  fetch(`${bed.url}/spec/message:send`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "A2A-Version": "1.0",
      ...(id !== undefined && { "X-Request-Id": id }),
    },
    body: JSON.stringify({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text }] } }),
  });

test("the id that a client gives is that of the answer and of the line, which says what was asked for and how it ended", async () => {
  const answer = await send("message-only hi", "client-7:a.b_c");
  await answer.text();
  expect(answer.headers.get("x-request-id")).toBe("client-7:a.b_c");
  await expect.poll(() => served).toHaveLength(1);
  expect(served[0]).toMatchObject({
    requestId: "client-7:a.b_c",
    agent: "spec",
    binding: "HTTP+JSON",
    operation: "SendMessage",
    outcome: "ok",
    isWhole: true,
  });
});

test.each(["two words", "a".repeat(129), 'quote"', "a;b", ""])(
  "the server replaces an unsafe X-Request-Id: %j",
  async (id) => {
    const answer = await send("message-only hi", id);
    await answer.text();
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test("over gRPC the id is metadata, and an error has it too", async () => {
  const clients = createPeerClients({ guard: createEgressGuard({ allowLoopback: true }), userAgent: "test" });
  const at = { url: new URL(bed.url).host, binding: "GRPC", dialect: "1.0" } as const;
  const { exchange } = await createPeer(clients, at, [["x-request-id", "grpc-1"]]).call("GetTask", { id: "nope" });
  await clients.close();
  expect(exchange.http.response?.headers).toContainEqual(["x-request-id", "grpc-1"]);
  await expect.poll(() => served).toHaveLength(1);
  expect(served[0]).toMatchObject({
    requestId: "grpc-1",
    binding: "GRPC",
    operation: "GetTask",
    outcome: "TaskNotFound",
  });
});

test("an internal error is logged with its request, also in the background", async () => {
  await (await send("throw", "thrown-1")).text();
  await expect.poll(() => troubled).toEqual(["thrown-1"]);
});

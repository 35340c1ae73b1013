import { randomUUID } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { JsonObject } from "@assay/protocol";
import { grpcV03, grpcV10 } from "@assay/protocol/grpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GrpcPeer, refusalOf, useGrpcPeers } from "../fixtures/grpc.fixture.ts";
import { ask, type Bed, expectNormalService, plain, sending, until, useTestbed } from "../fixtures/testbed.fixture.ts";

// Small attacks on the memory of the test bed. Attackers use 127.0.0.1 and the following addresses. The other caller,
// which must still be served, uses 127.0.0.9.

const KiB = 1024;
const gauge = async ({ url }: Bed, name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await plain(`${url}/metrics`, { from: good })).text)?.[1]);
const good = "127.0.0.9";

const big = "x".repeat(200 * KiB);

/** A task that waits for input and takes a fifth of a MiB. */
const waiting = (text: string) => sending(`multi-turn ${text}`);

interface Wire {
  readonly name: string;
  /** Sends the text. Returns the error, or undefined if the server accepted it. */
  send(text: string, from: string): Promise<unknown>;
  /** the error for a caller at its memory limit */
  readonly refused: unknown;
}

describe("names of agents", () => {
  const bed = useTestbed();
  const built = () => gauge(bed, "assay_agents");

  test("a changed agent name does not build another agent", async () => {
    for (const name of ["full@0.3", "mutants/GET-002.empty@spec03"]) {
      expect((await plain(`${bed.url}/${name}/.well-known/agent-card.json`)).status).toBe(200);
    }
    const before = await built();
    const names = ["full@0.3@", "spec@1.0@2", "mutants/GET-002.empty@spec03@3", "full@full@0.3", "@0.3", "full@"];
    for (const name of names) {
      const { status } = await plain(`${bed.url}/${name}/.well-known/agent-card.json`);
      expect([name, status]).toEqual([name, 404]);
    }
    expect(await built()).toBe(before);
    await expectNormalService(bed);
  });
});

/** Sends JSON over HTTP. Returns the response if it is an error. */
async function postTo({ url }: Bed, path: string, body: JsonObject, from: string, version?: string): Promise<unknown> {
  const headers = { "Content-Type": "application/json", ...(version ? { "A2A-Version": version } : {}) };
  const answer = await plain(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body), from });
  const json = JSON.parse(answer.text) as { error?: unknown; code?: unknown };
  if (json.error === undefined && json.code === undefined) return undefined;
  return { status: answer.status, retryAfter: answer.headers["retry-after"], json };
}
describe("waiting tasks", () => {
  const budgets = { caller: 1024 * KiB, total: 4096 * KiB };
  const bed = useTestbed({ budgets });

  const post = (path: string, body: JsonObject, from: string, version?: string) =>
    postTo(bed, path, body, from, version);
  const rpc = (path: string, method: string, params: JsonObject, from: string, version?: string) =>
    post(path, { jsonrpc: "2.0", id: 1, method, params }, from, version);
  const tagged = (text: string) => ({
    message: { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }] },
  });
  const message = expect.stringContaining("the limit of 1 MiB per caller is reached");
  const overHttp = (json: object) => ({ status: 429, retryAfter: "10", json: expect.objectContaining(json) });

  const dial = useGrpcPeers();
  const [peer10, peer03] = [grpcV10, grpcV03].map((service) => dial(() => `127.0.0.1:${bed.port}`, service));

  const wires: readonly Wire[] = [
    {
      name: "JSON-RPC 1.0",
      send: (text, from) => rpc("/spec", "SendMessage", waiting(text) as unknown as JsonObject, from, "1.0"),
      refused: overHttp({ error: expect.objectContaining({ code: -31429, message }) }),
    },
    {
      name: "HTTP+JSON 1.0",
      send: (text, from) => post("/spec/message:send", waiting(text) as unknown as JsonObject, from, "1.0"),
      refused: overHttp({ error: expect.objectContaining({ code: 429, status: "RESOURCE_EXHAUSTED", message }) }),
    },
    ...["0.3", "0.2"].map((version) => ({
      name: `JSON-RPC ${version}`,
      send: (text: string, from: string) =>
        rpc(`/spec0${version[2]}`, "message/send", tagged(`multi-turn ${text}`), from),
      refused: overHttp({ error: expect.objectContaining({ message }) }),
    })),
    {
      name: "HTTP+JSON 0.3",
      send: (text, from) => post("/spec03/v1/message:send", tagged(`multi-turn ${text}`), from),
      refused: overHttp({ message }),
    },
    {
      name: "JSON-RPC 0.1",
      send: (text, from) =>
        rpc(
          "/spec01",
          "tasks/send",
          { id: randomUUID(), message: { role: "user", parts: [{ type: "text", text: `multi-turn ${text}` }] } },
          from,
        ),
      refused: overHttp({ error: expect.objectContaining({ message }) }),
    },
    {
      name: "gRPC 1.0",
      send: (text) => refusalOf(peer10!.ask("SendMessage", waiting(text))).catch(() => undefined),
      refused: expect.objectContaining({ status: "RESOURCE_EXHAUSTED" }),
    },
    {
      name: "gRPC 0.3",
      send: (text) => {
        const content = [{ text: `multi-turn ${text}` }];
        const request = { message: { messageId: randomUUID(), role: "ROLE_USER", content } };
        return refusalOf(peer03!.ask("SendMessage", request)).catch(() => undefined);
      },
      refused: expect.objectContaining({ status: "RESOURCE_EXHAUSTED" }),
    },
  ];

  test.each(wires)("a caller at its limit is rejected over $name, and another caller is served", async (wire) => {
    let refusal: unknown;
    for (let n = 0; n < 8 && refusal === undefined; n++) refusal = await wire.send(big, "127.0.0.1");
    expect(refusal).toEqual(wire.refused);
    expect(await gauge(bed, "assay_held_bytes")).toBeLessThan(1.5 * budgets.caller);
    if (!wire.name.startsWith("gRPC")) expect(await wire.send("hello", good)).toBeUndefined();
  });
});

describe("waiting tasks of many callers", () => {
  const budgets = { caller: 1024 * KiB, total: 4096 * KiB };
  const bed = useTestbed({ budgets });
  const send = (text: string, from: string) =>
    postTo(
      bed,
      "/spec",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: waiting(text) as unknown as JsonObject },
      from,
      "1.0",
    );

  test("callers that hold much leave room for callers that need little", async () => {
    const refusals: unknown[] = [];
    for (let caller = 2; caller < 9; caller++) {
      for (let n = 0; n < 5; n++) refusals.push(await send(big, `127.0.0.${caller}`));
    }
    const inAll = { status: 503, json: { error: { message: expect.stringContaining("4 MiB") } } };
    expect(refusals.filter(Boolean).at(-1)).toMatchObject(inAll);
    expect(await gauge(bed, "assay_held_bytes")).toBeLessThan(budgets.total);
    for (let n = 0; n < 10; n++) expect(await send("hello", good)).toBeUndefined();
  });
});

describe("the timeout of waiting tasks", () => {
  const bed = useTestbed({ budgets: { caller: 1024 * KiB, total: 4096 * KiB }, waitMs: 3_000 });

  test("tasks that wait too long fail and free memory", async () => {
    const send = () => ask(`${bed.url}/spec`, "JSONRPC", "SendMessage", waiting(big));
    const { task } = await send();
    // Send all at once. Otherwise the first may time out before the last is sent.
    await expect(Promise.all(Array.from({ length: 8 }, send))).rejects.toThrow("429");
    // The server also rejects requests while there is no memory for the response.
    const failed = await until(
      () => ask(`${bed.url}/spec`, "JSONRPC", "GetTask", { id: task!.id }).catch(() => undefined),
      (now) => now?.status.state === "TASK_STATE_FAILED",
    );
    expect(failed?.status.message?.parts[0]?.text).toContain("no activity for too long");
    await until(
      () => send().catch(() => undefined),
      (answer) => answer !== undefined,
    );
  });
});

describe("a webhook that never answers", () => {
  const budgets = { caller: 2048 * KiB, total: 8192 * KiB };
  const bed = useTestbed({ budgets });
  let silence: Server;
  let url: string;
  beforeAll(async () => {
    silence = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
    await new Promise((resolve) => silence.once("listening", resolve));
    url = `http://127.0.0.1:${(silence.address() as { port: number }).port}/`;
  });
  afterAll(() => void silence.close());

  test("with fifty configurations and large messages stays within the memory limit of its caller", async () => {
    const spec = `${bed.url}/full`;
    const { task } = await ask(spec, "JSONRPC", "SendMessage", waiting("x"));
    for (let n = 0; n < 50; n++) {
      await ask(spec, "JSONRPC", "CreateTaskPushNotificationConfig", { taskId: task!.id, url, id: `c${n}` });
    }
    for (let n = 0; n < 5; n++) {
      const more = { message: { ...waiting(big).message, taskId: task!.id } };
      await plain(spec, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: more }),
      });
      expect(await gauge(bed, "assay_held_bytes")).toBeLessThan(1.5 * budgets.caller);
    }
    expect((await plain(`${bed.url}/metrics`)).text).toMatch(
      /assay_push_total\{agent="full",outcome="dropped"\} [1-9]/,
    );
    await expectNormalService(bed);
  });
});

describe("requests and responses in flight", () => {
  const budgets = { caller: 1024 * KiB, total: 8192 * KiB };
  const bed = useTestbed({ budgets });
  const sockets: Socket[] = [];
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });

  /** Sends bytes over a new connection. Reads the response only on demand. */
  function speak(text: string): { heard(): Promise<string> } {
    const socket = connect(bed.port, "127.0.0.1").on("error", () => {});
    sockets.push(socket.pause());
    socket.write(text);
    return {
      heard: () =>
        new Promise((resolve) => {
          let all = "";
          socket.on("data", (chunk) => {
            all += chunk;
            if (all.includes("\r\n\r\n")) resolve(all);
          });
          socket.on("close", () => resolve(all)).resume();
        }),
    };
  }
  const request = (lines: readonly string[], body = "") =>
    `${[...lines, "Host: localhost", "A2A-Version: 1.0", "", body].join("\r\n")}`;
  const held = () => gauge(bed, "assay_held_bytes");
  const settled = () => until(held, (bytes) => bytes < 300 * KiB);

  test("unfinished bodies are rejected at the limit, and another caller is served", async () => {
    const head = ["POST /spec/message:send HTTP/1.1", "Content-Type: application/json", "Content-Length: 400000"];
    const slow = Array.from({ length: 8 }, () => speak(request(head, "x".repeat(300 * KiB))));
    await until(held, (bytes) => bytes > 0.8 * budgets.caller);
    expect(await held()).toBeLessThanOrEqual(budgets.caller);
    const first = await Promise.race(slow.map(({ heard }) => heard()));
    expect(first).toMatch(/^HTTP\/1\.1 429 [\s\S]*Retry-After: 10[\s\S]*the limit of 1 MiB per caller is reached/);
    expect((await plain(`${bed.url}/spec/tasks`, { headers: { "A2A-Version": "1.0" }, from: good })).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await settled();
  });

  test("unread responses and streams are kept only up to the limit of their caller", async () => {
    const spec = `${bed.url}/spec`;
    const { task } = await ask(spec, "JSONRPC", "SendMessage", waiting(big));
    const answers = Array.from({ length: 40 }, () => speak(request([`GET /spec/tasks/${task!.id} HTTP/1.1`])));
    const streams = Array.from({ length: 40 }, () =>
      speak(request([`POST /spec/tasks/${task!.id}:subscribe HTTP/1.1`, "Content-Length: 0"])),
    );
    await Promise.all([...answers, ...streams].map(({ heard }) => heard()));
    expect(await held()).toBeLessThanOrEqual(budgets.caller);
    expect((await plain(`${spec}/tasks`, { headers: { "A2A-Version": "1.0" }, from: good })).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await settled();
  });

  test("a compressed gRPC message counts with its unpacked size", async () => {
    const peer = new GrpcPeer(`127.0.0.1:${bed.port}`, grpcV10, {
      channel: { "grpc.default_compression_algorithm": 2 },
    });
    const refusal = await refusalOf(peer.ask("SendMessage", sending(`message-only ${"x".repeat(1100 * KiB)}`)));
    peer.close();
    expect(refusal).toMatchObject({ status: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_REQUESTS" });
    await settled();
    await expectNormalService(bed);
  });
});

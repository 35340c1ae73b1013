import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Recording } from "../recording/recording.ts";
import type { Handler } from "./handler.ts";
import { gate, serve } from "./raw-client.fixture.ts";
import { ServedRecorder } from "./served-recorder.ts";
import { ask, over2, session } from "./version-client.fixture.ts";

// What only HTTP/2 has. What both versions have in common is in http-versions.test.ts.

const echo: Handler = async (request, reply) => reply.send(200, {}, await request.body());

const statusOf = async (asked: Pick<ReturnType<typeof over2>, "head">): Promise<number> => (await asked.head).status;

test("an authority and a Host header that differ are refused; one of them is enough", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, request.host));
  const connection = session(server);
  const host = `127.0.0.1:${server.port}`;
  const statusWith = (headers: Record<string, string>) => statusOf(over2(connection, { headers }));
  expect(await statusWith({ ":authority": host, host: "elsewhere.example" })).toBe(400);
  expect(await statusWith({ ":authority": host, host })).toBe(200);
  expect(await statusWith({ ":authority": host })).toBe(200);
  expect(await statusWith({ host })).toBe(200);
});

test("headers that are too large are refused on a connection whose settings are known, too", async () => {
  const server = await serve(echo, { grpc: async () => {} });
  const connection = session(server);
  await once(connection, "remoteSettings");
  expect(await statusOf(over2(connection, { headers: {} }))).toBe(200);
  const big = { "x-big": "x".repeat(20_000) };
  expect(await statusOf(over2(connection, { headers: big }))).toBe(431);
  const call = over2(connection, { method: "POST", headers: { ...big, "content-type": "application/grpc" } });
  expect((await call.head).headers).toMatchObject({ "grpc-status": "8" });
  // Far beyond that nothing is answered, and the connection lives on.
  await expect(over2(connection, { headers: { "x-big": "x".repeat(70_000) } }).head).rejects.toThrow();
  expect(await statusOf(over2(connection, { headers: {} }))).toBe(200);
});

test("CONNECT is refused", async () => {
  const stream = session(await serve(echo)).request({ ":method": "CONNECT", ":authority": "elsewhere.example:443" });
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  expect(headers[":status"]).toBe(405);
});

test("headers of a connection of HTTP/1.1 are left out of the answer", async () => {
  const headers = { Connection: "close", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked", "X-Kept": "1" };
  const server = await serve((_request, reply) => reply.send(200, headers, "whole"));
  const answer = await ask(server, "HTTP/2").whole();
  expect(answer.text).toBe("whole");
  expect(Object.keys(answer.headers).sort()).toEqual(["content-length", "date", "x-kept"]);
});

const frame = (type: number, flags: number, stream: number, payload: Uint8Array): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

test.each([0, 2, 8])("a body that is reset with code %i is not taken for a whole one", async (code) => {
  const read: unknown[] = [];
  const begun = gate();
  const server = await serve(async (request) => {
    const reading = request.body();
    begun.open();
    read.push(await reading.then(String, (error: { code: string }) => error.code));
  });
  const head = { ":method": "POST", ":scheme": "http", ":path": "/", ":authority": "localhost" };
  const socket = connectTcp(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame(4, 0, 0, Buffer.alloc(0)));
  socket.write(frame(1, 4, 1, Buffer.concat(Object.entries(head).map(([name, value]) => literal(name, value)))));
  socket.write(frame(0, 0, 1, Buffer.from('{"half":1}')));
  await begun.opened;
  socket.write(frame(3, 0, 1, Buffer.from([0, 0, 0, code])));
  await expect.poll(() => read).toEqual(["disconnected"]);
});

test("an unread body does not block other streams of its connection", async () => {
  const waiting = gate();
  const server = await serve(async (request, reply) => {
    if (request.path !== "/unread") return echo(request, reply);
    await waiting.opened;
    reply.send(200, {}, "late");
  });
  const connection = session(server);
  const unread = over2(connection, { method: "POST", path: "/unread" });
  unread.body.write(Buffer.alloc(60_000));
  const other = over2(connection, { method: "POST" });
  other.body.end("small");
  expect(await statusOf(other)).toBe(200);
  waiting.open();
  expect(await statusOf(unread)).toBe(200);
  // More than the window of the connection.
  const last = over2(connection, { method: "POST" });
  last.body.end(Buffer.alloc(500_000));
  expect(await statusOf(last)).toBe(200);
});

test("a client that resets hundreds of requests loses the connection", async () => {
  const server = await serve(() => new Promise<void>(() => {}));
  const connection = session(server);
  await once(connection, "connect");
  for (let sent = 0; sent < 700 && !connection.destroyed; sent++) {
    const stream = connection.request({ ":path": "/" });
    stream.on("error", () => {}).close(8);
    if (sent % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => connection.destroyed).toBe(true);
});

test("a connection that has carried as many requests as it may is closed behind the last one", async () => {
  const server = await serve(echo, { limits: { requestsPerConnection: 2 } });
  const connection = session(server);
  const gone = once(connection, "goaway");
  expect(await statusOf(over2(connection, {}))).toBe(200);
  expect(await statusOf(over2(connection, {}))).toBe(200);
  expect((await gone)[0]).toBe(0);
  await expect.poll(() => server.connections).toBe(0);
});

test("retiring says GOAWAY; connections that come after it are served once", async () => {
  const server = await serve(echo);
  const before = session(server);
  expect(await statusOf(over2(before, {}))).toBe(200);
  const told = once(before, "goaway");
  server.retire();
  await told;
  const after = session(server);
  const toldToo = once(after, "goaway");
  expect(await statusOf(over2(after, {}))).toBe(200);
  await toldToo;
});

test("closing says GOAWAY to idle connections and waits for nothing on them", async () => {
  const server = await serve(echo);
  const idle = session(server);
  expect(await statusOf(over2(idle, {}))).toBe(200);
  const told = once(idle, "goaway");
  await server.close(10_000);
  await told;
});

test("requests and event streams are recorded, and are no calls of gRPC", async () => {
  const recording = new Recording();
  const server = await serve(
    async (request, reply) => {
      const stream = reply.events();
      void stream.send(String(await request.body()));
      stream.end();
    },
    { recorder: new ServedRecorder(recording), grpc: async () => {} },
  );
  await ask(server, "HTTP/2", { method: "POST", path: "/a?b", headers: { "X-A": "1" }, body: '{"a":1}' }).whole();
  await expect.poll(() => recording.exchanges).toHaveLength(1);
  const [{ http, transport, failure }] = recording.exchanges as [(typeof recording.exchanges)[number]];
  expect(transport.http2).toBe(true);
  expect(http.request).toMatchObject({ method: "POST", url: `${server.url}/a?b` });
  expect(Buffer.from(http.request.body).toString()).toBe('{"a":1}');
  expect(http.sse?.events).toMatchObject([{ data: '{"a":1}' }]);
  expect(http.grpc).toBeUndefined();
  expect(failure).toBeUndefined();
});

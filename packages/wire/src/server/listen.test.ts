import { expect, test } from "vitest";
import type { EventStream } from "./handler.ts";
import { listen } from "./listen.ts";
import { answer, dial, gate, get, serve } from "./raw-client.fixture.ts";

test("says where it listens; a port in use is an error that names it", async () => {
  const server = await serve((_request, reply) => reply.send(200, {}, "x"));
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  const second = listen({ host: "127.0.0.1", port: server.port, handler: () => {} });
  await expect(second).rejects.toMatchObject({
    code: "cannot-listen",
    message: expect.stringContaining(`127.0.0.1 port ${server.port}: listen EADDRINUSE`),
  });
});

test("a server on all addresses has a URL that can be opened", async () => {
  const server = await serve((_request, reply) => reply.send(200, {}, "x"), { host: "0.0.0.0" });
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(await (await fetch(server.url)).text()).toBe("x");
});

test("a connection over the limit gets an error, and a freed place is used", async () => {
  const server = await serve((_request, reply) => reply.send(200, {}, "x"), { limits: { connections: 1 } });
  const first = dial(server, get("/"));
  await first.until("200 OK");
  expect(answer(await dial(server, get("/")).ended)).toMatchObject({
    status: 503,
    body: { error: { status: "UNAVAILABLE" } },
  });
  expect(server.connections).toBe(1);
  first.socket.destroy();
  await expect.poll(() => server.connections).toBe(0);
  await dial(server, get("/")).until("200 OK");
});

test("closing: idle connections at once, answers in the making finish and say so, nobody new gets in", async () => {
  const slow = gate();
  const arrived = gate();
  const server = await serve(async (request, reply) => {
    if (request.path === "/slow") {
      arrived.open();
      await slow.opened;
    }
    reply.send(200, {}, request.path);
  });
  const fresh = dial(server);
  const idle = dial(server, get("/idle"));
  await idle.until("/idle");
  const busy = dial(server, get("/slow"));
  await arrived.opened;
  await expect.poll(() => server.connections).toBe(3);

  const closed = server.close(10_000);
  expect(server.close()).toBe(closed);
  await Promise.all([fresh.ended, idle.ended]);
  expect(await dial(server).ended).toBe("");
  expect(busy.text).toBe("");
  slow.open();
  expect(await busy.ended).toMatch(/Connection: close\r\n[\s\S]*\/slow$/);
  await closed;
});

test("closing lets an answer that is on its way arrive whole, though it promised keep-alive", async () => {
  const body = "x".repeat(8_000_000);
  const sent = gate();
  const server = await serve((_request, reply) => {
    reply.send(200, {}, body);
    sent.open();
  });
  const client = dial(server, get("/"));
  client.socket.pause();
  await sent.opened;
  const closed = server.close(10_000);
  client.socket.resume();
  expect((await client.ended).endsWith(body)).toBe(true);
  await closed;
});

test("closing ends open streams and tells their producers", async () => {
  let stream: EventStream | undefined;
  const server = await serve((_request, reply) => {
    stream = reply.events();
    void stream.send("1");
  });
  const client = dial(server, get("/"));
  await client.until("data: 1");
  await server.close(5000);
  expect(await client.ended).toMatch(/0\r\n\r\n$/);
  expect(stream).toMatchObject({ closed: true, signal: { aborted: true, reason: { code: "shutting-down" } } });
});

test("a stream that opens while its server waits for what is at work tells all it has, and none opens after that", async () => {
  const [arrived, asked, worked, late] = [gate(), gate(), gate(), gate()];
  const server = await serve(async (request, reply) => {
    (request.path === "/late" ? asked : arrived).open();
    await (request.path === "/late" ? late : worked).opened;
    const stream = reply.events();
    await stream.send("all");
    stream.end();
  });
  const [client, tooLate] = [dial(server, get("/")), dial(server, get("/late"))];
  await Promise.all([arrived.opened, asked.opened]);
  const closed = server.close(5_000, worked.opened);
  worked.open();
  expect(await client.ended).toMatch(/^HTTP\/1\.1 200[\s\S]*data: all\n\n\r\n0\r\n\r\n$/);
  late.open();
  expect(await tooLate.ended).toMatch(/^HTTP\/1\.1 503/);
  await closed;
});

test("after the grace everything is destroyed", async () => {
  const arrived = gate();
  const server = await serve(() => arrived.open());
  const client = dial(server, get("/never"));
  await arrived.opened;
  await server.close(50);
  expect(await client.ended).toBe("");
  expect(server.connections).toBe(0);
});

test("time in which the process is blocked does not count towards the grace", async () => {
  const [arrived, worked] = [gate(), gate()];
  const server = await serve(async (_request, reply) => {
    arrived.open();
    await worked.opened;
    reply.send(200, {}, "whole");
  });
  const client = dial(server, get("/"));
  await arrived.opened;
  const closed = server.close(200);
  setTimeout(worked.open, 300);
  const end = performance.now() + 400;
  while (performance.now() < end);
  expect(await client.ended).toContain("whole");
  await closed;
});

test("retiring: each answer is the last on its connection, and new connections are taken", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, request.path));
  const kept = dial(server, get("/first"));
  await kept.until("/first");
  server.retire();
  kept.socket.write(get("/second"));
  expect(await kept.ended).toMatch(/Connection: close\r\n[\s\S]*\/second$/);
  expect(await dial(server, get("/third")).ended).toMatch(/Connection: close\r\n[\s\S]*\/third$/);
});

test("closing after that waits for a request that is on its way on a connection that was to be kept", async () => {
  const slow = gate();
  const arrived = gate();
  const server = await serve(async (request, reply) => {
    if (request.path === "/stream") {
      const stream = reply.events();
      arrived.open();
      await slow.opened;
      stream.end();
    } else reply.send(200, {}, request.path);
  });
  const client = dial(server, get("/stream"));
  await arrived.opened;
  server.retire();
  const closed = server.close(5_000, slow.opened);
  slow.open();
  await client.until("0\r\n\r\n");
  client.socket.write(get("/next"));
  expect(await client.ended).toMatch(/Connection: close\r\n[\s\S]*\/next$/);
  await closed;
});

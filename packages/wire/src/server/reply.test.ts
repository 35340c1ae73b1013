import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { answer, dial, gate, get, serve } from "./raw-client.fixture.ts";

test("an answer has a length in bytes, a date, and no advertisement", async () => {
  const server = await serve((_request, reply) => reply.send(201, { "Content-Type": "application/json" }, '"grüß"'));
  const heard = await dial(server, get("/", "Connection: close")).ended;
  expect(heard.replace(/Date: .*/, "Date: …").split("\r\n")).toEqual([
    "HTTP/1.1 201 Created",
    "Content-Type: application/json",
    "Content-Length: 8",
    "Date: …",
    "Connection: close",
    "",
    '"grüß"',
  ]);
});

test("HEAD has the head of GET and no body", async () => {
  const server = await serve((_request, reply) => reply.send(200, { ETag: '"1"' }, "body"));
  const head = await dial(server, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ended;
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nETag: "1"\r\nContent-Length: 4\r\n[\s\S]*\r\n\r\n$/);
});

test.each([204, 304])("%i has no body and no length", async (status) => {
  const server = await serve((_request, reply) => reply.send(status, {}, ""));
  expect(await dial(server, get("/", "Connection: close")).ended).not.toContain("Content-Length");
});

test.each(["a\r\nSet-Cookie: b", "a\nb", "\u0000", "snow ☃"])(
  "a header of %j is refused before writing",
  async (value) => {
    const onInternalError = vi.fn();
    const server = await serve((_request, reply) => reply.send(200, { "X-From-Data": value }, "body"), {
      onInternalError,
    });
    const heard = await dial(server, get("/", "Connection: close")).ended;
    expect(heard).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(heard).not.toContain("Set-Cookie");
    expect(onInternalError).toHaveBeenCalledWith(expect.objectContaining({ code: "invalid-header" }));
  },
);

test("a header name from data cannot split the answer either", async () => {
  const server = await serve((_request, reply) => reply.send(200, { "X\r\nSet-Cookie": "1" }, "body"));
  expect(answer(await dial(server, get("/", "Connection: close")).ended).status).toBe(500);
});

test("an unread response does not keep its connection forever", async () => {
  const server = await serve((_request, reply) => reply.send(200, {}, "x".repeat(20_000_000)), {
    limits: { stalledMs: 100 },
  });
  dial(server, get("/")).socket.pause();
  await expect.poll(() => server.connections).toBe(1);
  await expect.poll(() => server.connections).toBe(0);
});

test("answering a client that is gone does nothing", async () => {
  const onInternalError = vi.fn();
  const [arrived, answered] = [gate(), gate()];
  const server = await serve(
    async (request, reply) => {
      const gone = once(request.signal, "abort");
      arrived.open();
      await gone;
      reply.send(200, {}, "x");
      expect(reply.events().closed).toBe(true);
      answered.open();
    },
    { onInternalError },
  );
  const client = dial(server, get("/"));
  await arrived.opened;
  client.socket.resetAndDestroy();
  await answered.opened;
  expect(onInternalError).not.toHaveBeenCalled();
});

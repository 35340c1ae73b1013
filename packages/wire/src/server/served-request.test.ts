import { expect, test, vi } from "vitest";
import type { Handler, WireRequest } from "./handler.ts";
import { answer, dial, get, serve, sleep } from "./raw-client.fixture.ts";
import { statusError } from "./status-error.fixture.ts";

const failures: [string, Handler][] = [
  ["throws", () => expect.fail("secret")],
  ["rejects", async () => expect.fail("secret")],
];

test.each(failures)("a handler that %s: 500 without details, and the owner is told", async (_name, handler) => {
  const onInternalError = vi.fn();
  const server = await serve(handler, { onInternalError });
  expect(answer(await dial(server, get("/", "Connection: close")).ended)).toEqual({
    status: 500,
    body: statusError(500, "The server failed to handle this request."),
  });
  expect(onInternalError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "secret" }));
});

test("a handler that fails half-way through its stream cuts the connection", async () => {
  const server = await serve(async (_request, reply) => {
    await reply.events().send("1");
    await sleep(20);
    throw new Error("half-way");
  });
  const heard = await dial(server, get("/")).ended;
  expect(heard).toContain("data: 1\n\n");
  expect(heard).not.toMatch(/0\r\n\r\n$/);
});

test("a handler that fails after its answer does not harm it", async () => {
  const onInternalError = vi.fn();
  const big = "x".repeat(20_000_000);
  const server = await serve(
    async (_request, reply) => {
      reply.send(200, {}, big);
      throw new Error("too late");
    },
    { onInternalError },
  );
  expect((await dial(server, get("/", "Connection: close")).ended).length).toBeGreaterThan(big.length);
  expect(onInternalError).toHaveBeenCalledOnce();
});

test("HTTP/1.1 without Host is refused in JSON; HTTP/1.0 needs none", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, JSON.stringify(request.host)));
  expect(answer(await dial(server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").ended)).toMatchObject({
    status: 400,
    body: { error: { status: "INVALID_ARGUMENT" } },
  });
  expect(answer(await dial(server, "GET / HTTP/1.0\r\n\r\n").ended)).toEqual({ status: 200, body: "" });
});

test("what a handler learns about a request", async () => {
  let seen: WireRequest | undefined;
  const server = await serve((request, reply) => {
    seen = request;
    reply.send(200, {}, "x");
  });
  const client = dial(server, get("/spec/a%20b?x=1", "X-Twice: 1", "x-twice: 2"));
  await client.until("x");
  expect(seen).toMatchObject({
    method: "GET",
    path: "/spec/a%20b",
    query: "x=1",
    host: "localhost",
    secure: false,
    headers: { "x-twice": "1, 2" },
    rawHeaders: ["Host", "localhost", "X-Twice", "1", "x-twice", "2"],
    remoteAddress: "127.0.0.1",
  });
});

import { expect, test } from "vitest";
import { answer, dial, get, post, serve, sleep } from "./raw-client.fixture.ts";
import { statusError } from "./status-error.fixture.ts";

test("pipelined requests are answered in order, whatever order they are done in", async () => {
  const server = await serve(async (request, reply) => {
    await sleep(Number(request.query));
    reply.send(200, {}, request.path);
  });
  const heard = await dial(server, get("/a?40") + post("/b?1", "x") + get("/c?20", "Connection: close")).ended;
  expect(heard.match(/^\/\w/gm)).toEqual(["/a", "/b", "/c"]);
});

test("a client that closes its sending side after the request gets its answer", async () => {
  const server = await serve(async (_request, reply) => {
    await sleep(50);
    reply.send(200, {}, '"late"');
  });
  const client = dial(server);
  client.socket.end(get("/"));
  expect(answer(await client.ended)).toEqual({ status: 200, body: "late" });
});

test("an offer to upgrade is ignored and the request answered", async () => {
  const server = await serve(async (request, reply) => reply.send(200, {}, await request.body()));
  const heard = await dial(server, post("/", '"plain"', "Connection: Upgrade, close", "Upgrade: h2c")).ended;
  expect(answer(heard)).toEqual({ status: 200, body: "plain" });
});

test("CONNECT is refused", async () => {
  const server = await serve(() => {});
  expect(answer(await dial(server, "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n").ended)).toEqual({
    status: 405,
    body: statusError(405, "This server is not a proxy."),
  });
});

test("an expectation other than 100-continue is refused in JSON", async () => {
  const server = await serve(() => {});
  expect(answer(await dial(server, get("/", "Expect: miracles", "Connection: close")).ended)).toMatchObject({
    status: 417,
    body: { error: { status: "FAILED_PRECONDITION" } },
  });
});

test("a connection that idles between requests is closed", async () => {
  const server = await serve((_request, reply) => reply.send(200, {}, "x"), { limits: { keepAliveMs: 50 } });
  // Node grants a second on top, so that a client that trusts the announced time is never cut off.
  expect(await dial(server, get("/")).ended).toContain("200 OK");
});

test("a connection is closed after its share of requests, and says so", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, request.path), {
    limits: { requestsPerConnection: 2 },
  });
  const client = dial(server, get("/1"));
  await client.until("/1");
  client.socket.write(get("/2"));
  expect(await client.ended).toMatch(/Connection: keep-alive[\s\S]*Connection: close[\s\S]*\/2$/);
});

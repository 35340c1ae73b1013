import { once } from "node:events";
import { createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import type { SseEvent } from "../recording/exchange.ts";
import { createHttpClient, userAgent } from "./http.ts";
import { collect, httpPeer, listen, rawPeer, testClient, text } from "./peers.fixture.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test("the transport layer holds exactly the bytes that the peer heard and said", async () => {
  const said =
    "HTTP/1.1 200 Fine By Me\r\nX-Odd-CASE: 1\r\nx-dup: a\r\nX-Dup: b\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: t\r\n\r\n";
  const peer = await rawPeer((socket) => socket.write(said));
  const exchange = await testClient().request({
    method: "POST",
    url: `${peer.url}/a?b=c`,
    headers: [
      ["X-Zulu", "1"],
      ["x-alpha", "2"],
      ["X-Zulu", "3"],
    ],
    body: Buffer.from("{}"),
  });

  expect(text(exchange.transport.received)).toBe(said);
  expect(text(exchange.transport.sent)).toBe(peer.heard().toString());
  expect(exchange.http.request.headers.filter(([name]) => /^x-/i.test(name))).toEqual([
    ["X-Zulu", "1"],
    ["x-alpha", "2"],
    ["X-Zulu", "3"],
  ]);
  expect(exchange.http.response).toEqual({
    status: 200,
    statusText: "Fine By Me",
    headers: [
      ["X-Odd-CASE", "1"],
      ["x-dup", "a"],
      ["X-Dup", "b"],
      ["Transfer-Encoding", "chunked"],
    ],
    trailers: [["X-Trailer", "t"]],
    body: Buffer.from("hello world"),
    bodyTruncated: false,
  });
  expect(exchange.failure).toBeUndefined();
});

test("bytes are told apart when requests share a connection and when they run side by side", async () => {
  const url = await httpPeer((request, response) => response.end(`answer to ${request.url}`));
  const client = testClient();
  const get = (path: string) => client.request({ method: "GET", url: url + path });

  const first = await get("/1");
  const [second, third] = await Promise.all([get("/2"), get("/3")]);

  for (const [exchange, path] of [
    [first, "/1"],
    [second, "/2"],
    [third, "/3"],
  ] as const) {
    expect(text(exchange.transport.sent).split("\r\n")[0]).toBe(`GET ${path} HTTP/1.1`);
    expect(text(exchange.transport.received)).toMatch(new RegExp(`^HTTP/1.1 200 OK[\\s\\S]*answer to ${path}$`));
  }
  expect([first.transport.reused, second.transport.reused, third.transport.reused]).toEqual([false, true, false]);
  expect(client.recording.exchanges.map(({ id }) => id)).toEqual(["x1", "x2", "x3"]);
});

test("a request may ask for a connection of its own, and for more patience", async () => {
  const url = await httpPeer(({ url: path }, response) => {
    if (path !== "/never") setTimeout(() => response.end("ok"), 100);
  });
  const client = testClient({ timeouts: { idle: 20 } });
  const get = (more: object) => client.request({ method: "GET", url, idleMs: 60_000, ...more });
  const exchanges = [await get({}), await get({}), await get({ fresh: true }), await get({})];
  expect(exchanges.map(({ transport }) => transport.reused)).toEqual([false, true, false, true]);
  expect(exchanges.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined, undefined]);
  expect((await get({ url: `${url}/never`, idleMs: undefined })).failure?.code).toBe("timeout-idle");
  await client.close();
});

test("timing and the remote address are noted", async () => {
  const url = await httpPeer(async (_request, response) => {
    await sleep(30);
    response.end("late");
  });
  const { timing, remote } = await testClient().request({ method: "GET", url });

  expect(Number.isNaN(Date.parse(timing.startedAt))).toBe(false);
  expect(timing.connected).toBeLessThanOrEqual(timing.requestSent!);
  expect(timing.requestSent).toBeLessThanOrEqual(timing.firstByte!);
  expect(timing.end).toBeGreaterThanOrEqual(timing.firstByte!);
  expect(remote).toEqual({ address: "127.0.0.1", port: Number(new URL(url).port) });
});

test("any method, binary body and the given User-Agent are sent as told", async () => {
  const peer = await rawPeer((socket) => socket.write(ok));
  const client = testClient({ userAgent: userAgent("1.2.3", "ops@example.com") });
  const body = Buffer.from([0, 255, 13, 10]);
  await client.request({ method: "FROB", url: peer.url, body });

  const heard = peer.heard();
  expect(heard.toString("latin1")).toMatch(
    /^FROB \/ HTTP\/1.1\r\n[\s\S]*User-Agent: a2a-assay\/1\.2\.3 \(ops@example\.com\)\r\n/,
  );
  expect(heard.subarray(-4)).toEqual(body);
});

test("a request that HTTP cannot carry is a mistake of ours, and is thrown", async () => {
  const client = testClient();
  const send = (headers: [string, string][], url = "http://127.0.0.1:1/") =>
    client.request({ method: "GET", url, headers });
  await expect(send([["bad name", "x"]])).rejects.toThrow(TypeError);
  await expect(send([["Transfer-Encoding", "chunked"]])).rejects.toThrow("use the raw client");
  await expect(send([["Content-Length", "7"]])).rejects.toThrow("a wrong Content-Length");
  await expect(send([], "ftp://127.0.0.1/")).rejects.toThrow(TypeError);
});

test("a stream hands out its head first and then each event as it arrives", async () => {
  let goOn = () => {};
  const firstSeen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const url = await httpPeer(async (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": hello\n\ndata: one\n\n");
    // The peer says no more before its first event was handed out.
    await firstSeen;
    response.end("id: 2\nevent: more\ndata: two\n\ndata: never finished");
  });
  const stream = await testClient().stream({ method: "GET", url });
  expect(stream.head?.status).toBe(200);
  const events: SseEvent[] = [];
  for await (const event of stream.events) {
    events.push(event);
    goOn();
  }
  const { http } = await stream.finished;

  expect(events).toEqual([
    { at: expect.any(Number), data: "one" },
    { at: expect.any(Number), event: "more", id: "2", data: "two" },
  ]);
  expect(events[1]!.at).toBeGreaterThan(events[0]!.at);
  expect(http.sse).toEqual({ events, eventsDropped: 0, comments: 1, invalidUtf8: false, unfinished: "never finished" });
});

test("leaving the loop hangs up, and the exchange says that it was us", async () => {
  let gone: (value: unknown) => void = () => {};
  const closed = new Promise((resolve) => {
    gone = resolve;
  });
  const url = await httpPeer((_request, response) => {
    response.on("close", gone);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("data: one\n\n");
  });
  const stream = await testClient().stream({ method: "GET", url });
  for await (const _event of stream.events) break;
  await closed;
  expect((await stream.finished).failure?.code).toBe("aborted");
});

test("a stream request that is answered with something else still yields the whole answer", async () => {
  const url = await httpPeer((_request, response) => response.writeHead(404).end("no such thing"));
  const stream = await testClient().stream({ method: "GET", url });
  expect(await collect(stream.events)).toEqual([]);
  expect(text((await stream.finished).http.response?.body)).toBe("no such thing");
});

test("the caller's signal ends an exchange at any time", async () => {
  const peer = await rawPeer(() => {});
  const client = testClient();
  const { failure } = await client.request({ method: "GET", url: peer.url }, AbortSignal.timeout(30));
  expect(failure?.code).toBe("aborted");
  const before = await client.request({ method: "GET", url: peer.url }, AbortSignal.abort());
  expect(before.failure?.code).toBe("aborted");
  expect(before.transport.sent).toHaveLength(0);
});

test("a host the guard refuses is not contacted", async () => {
  const peer = await rawPeer((socket) => socket.write(ok));
  const guard = createEgressGuard();
  for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"]) {
    const url = peer.url.replace("127.0.0.1", host);
    const { failure } = await testClient({ guard }).request({ method: "GET", url });
    expect(failure?.code, host).toBe("refused-by-guard");
    expect(failure?.message, host).toContain("--allow-host");
  }
  expect(peer.heard()).toHaveLength(0);
});

test("closing the client ends what is under way", async () => {
  const peer = await rawPeer(() => {});
  const client = createHttpClient({ guard: createEgressGuard({ allowLoopback: true }) });
  const pending = client.request({ method: "GET", url: peer.url });
  await sleep(20);
  await client.close();
  expect((await pending).failure?.code).toBe("aborted");
});

test("closing the client gives up connections that are still being made", async () => {
  let left: (value: unknown) => void = () => {};
  const gone = new Promise((resolve) => {
    left = resolve;
  });
  const server = createTcpServer((socket) => socket.on("close", left).resume());
  const port = await listen(server);
  const client = createHttpClient({ guard: createEgressGuard({ allowLoopback: true }) });
  const pending = client.request({ method: "GET", url: `https://127.0.0.1:${port}/` });
  await once(server, "connection");
  await client.close();
  await gone;
  expect((await pending).failure?.code).toBe("aborted");
});

test("a kept connection that the peer has left is told as such", async () => {
  let heard = 0;
  const peer = await rawPeer((socket) => {
    heard += 1;
    if (heard === 1) socket.write(ok);
    else socket.end();
  });
  const client = testClient();
  await client.request({ method: "GET", url: peer.url });
  const { failure, transport } = await client.request({ method: "GET", url: peer.url });
  expect(transport.reused).toBe(true);
  expect(failure).toMatchObject({
    code: "closed-early",
    hint: "The connection was reused from an earlier request. Retry on a new connection.",
  });
});

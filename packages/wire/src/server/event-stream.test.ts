import { once } from "node:events";
import { expect, test } from "vitest";
import type { EventStream, Handler, WireReply } from "./handler.ts";
import { answer, dial, get, serve, sleep } from "./raw-client.fixture.ts";
import { statusError } from "./status-error.fixture.ts";

/** A server that opens streams and does nothing else with them. */
function opener() {
  const streams: EventStream[] = [];
  const replies: WireReply[] = [];
  const handler: Handler = (_request, reply) => {
    streams.push(reply.events());
    replies.push(reply);
  };
  return { handler, streams, replies };
}

test("the head goes out at once, each event as it comes", async () => {
  const { handler, streams } = opener();
  const client = dial(await serve(handler), get("/"));
  const head = await client.until("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\nCache-Control: no-cache\r\n/);
  expect(head).toContain("X-Accel-Buffering: no\r\n");
  void streams[0]?.send('{"n":1}');
  await client.until('data: {"n":1}\n\n');
  streams[0]?.end();
  await client.until("0\r\n\r\n");
  expect(streams[0]).toMatchObject({ closed: true, signal: { aborted: false } });
  expect(streams[0]?.send("late")).toBeUndefined();
});

test("a thousand events made in a row leave in a few chunks, in order", async () => {
  const server = await serve(async (_request, reply) => {
    const stream = reply.events();
    const numbers = (async function* () {
      for (let n = 0; n < 1000; n++) yield n;
    })();
    for await (const n of numbers) await stream.send(JSON.stringify({ n }));
    stream.end();
  });
  const heard = await dial(server, get("/", "Connection: close")).ended;
  const events = [...heard.matchAll(/^data: \{"n":(\d+)\}$/gm)].map(([, n]) => Number(n));
  expect(events).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  expect(heard.match(/^[0-9a-f]+\r$/gm)?.length).toBeLessThan(10);
});

test("silence is broken by comments", async () => {
  const { handler, streams } = opener();
  const client = dial(await serve(handler, { limits: { silenceMs: 40 } }), get("/"));
  await client.until(": keep-alive\n\n");
  void streams[0]?.send("1");
  await client.until("data: 1\n\n");
});

test("a client that leaves aborts the signal and closes the stream", async () => {
  const { handler, streams } = opener();
  const client = dial(await serve(handler), get("/"));
  await client.until("\r\n\r\n");
  client.socket.destroy();
  await once(streams[0]!.signal, "abort");
  expect(streams[0]).toMatchObject({ closed: true, signal: { reason: { code: "disconnected" } } });
});

test("a client that never reads: the producer waits, memory stays bounded, the connection is given up", async () => {
  let most = 0;
  let sent = 0;
  let stream: EventStream | undefined;
  const server = await serve(
    async (_request, reply) => {
      stream = reply.events();
      const data = JSON.stringify("x".repeat(1000));
      while (!stream.closed) {
        await stream.send(data);
        sent += data.length;
        most = Math.max(most, reply.raw.writableLength);
      }
    },
    { limits: { stalledMs: 150 } },
  );
  dial(server, get("/")).socket.pause();
  await expect.poll(() => stream?.closed).toBe(true);
  expect(stream?.signal.reason).toMatchObject({ code: "stalled" });
  // The kernel took most of it; we held back no more than a few gathered chunks.
  expect(sent).toBeGreaterThan(100_000);
  expect(most).toBeLessThan(64 * 1024);
  await expect.poll(() => server.connections).toBe(0);
});

test("a producer that does not wait costs the client its connection, not us our memory", async () => {
  let stream: EventStream | undefined;
  const server = await serve(
    async (_request, reply) => {
      stream = reply.events();
      const data = JSON.stringify("x".repeat(10_000));
      for (let n = 0; !stream.closed; n++) {
        void stream.send(data);
        if (n % 10 === 0) await sleep(0);
      }
    },
    { limits: { streamBacklogBytes: 100_000 } },
  );
  dial(server, get("/")).socket.pause();
  await expect.poll(() => stream?.closed).toBe(true);
  expect(stream?.signal.reason).toMatchObject({ code: "stalled" });
});

test("a slow reader gets every event, and the server resumes writing when it has caught up", async () => {
  const server = await serve(async (_request, reply) => {
    const stream = reply.events();
    for (let n = 0; n < 400; n++) await stream.send(JSON.stringify({ n, pad: "x".repeat(20_000) }));
    stream.end();
  });
  const client = dial(server, get("/", "Connection: close"));
  client.socket.pause();
  await sleep(50);
  client.socket.resume();
  expect((await client.ended).match(/"n":\d+/g)).toHaveLength(400);
});

test("an unread stream that has ended is given up, too", async () => {
  const server = await serve(
    (_request, reply) => {
      const stream = reply.events();
      // Past the stream, so that only its end can notice.
      reply.raw.write("x".repeat(20_000_000));
      stream.end();
    },
    { limits: { stalledMs: 100 } },
  );
  dial(server, get("/")).socket.pause();
  await expect.poll(() => server.connections).toBe(1);
  await expect.poll(() => server.connections).toBe(0);
});

test("a stream too many is refused before anything is written, and room made is used", async () => {
  const { handler, streams } = opener();
  const server = await serve(handler, { limits: { streams: 1 } });
  const first = dial(server, get("/"));
  await first.until("\r\n\r\n");
  expect(answer(await dial(server, get("/", "Connection: close")).ended)).toEqual({
    status: 503,
    body: statusError(503, "this server allows at most 1 event streams"),
  });
  first.socket.destroy();
  await once(streams[0]!.signal, "abort");
  expect(await dial(server, get("/")).until("\r\n\r\n")).toContain("200 OK");
});

test("HEAD of a stream has its head and ends", async () => {
  const { handler, streams } = opener();
  const head = await dial(await serve(handler), "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ended;
  expect(head).toContain("text/event-stream");
  expect(head.endsWith("\r\n\r\n")).toBe(true);
  expect(streams[0]?.closed).toBe(true);
});

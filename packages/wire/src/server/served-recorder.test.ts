import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { Recording } from "../recording/recording.ts";
import type { Handler } from "./handler.ts";
import { dial, serve } from "./raw-client.fixture.ts";
import { ServedRecorder, type StrayBytes } from "./served-recorder.ts";

const answer: Handler = async (request, reply) => {
  const body = await request.body();
  reply.send(200, { "Content-Type": "text/plain" }, `heard ${body.length}`);
};

function recorder() {
  const recording = new Recording();
  const stray: StrayBytes[] = [];
  return { recording, stray, recorder: new ServedRecorder(recording, (each) => stray.push(each)) };
}

test("two requests on one connection are two exchanges, byte for byte", async () => {
  const { recording, stray, recorder: own } = recorder();
  const server = await serve(answer, { recorder: own, grpc: async () => {} });
  const first = "POST /a?b=c HTTP/1.1\r\nHost: here\r\nX-Odd:  twice\r\nContent-Length: 3\r\n\r\nabc";
  const client = dial(server, first);
  await client.until("heard 3");
  client.socket.write("POST /d HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n");
  await client.until("heard 2");
  client.socket.end();
  await client.ended;
  const [one, two] = recording.exchanges;
  expect(Buffer.from(one!.transport.sent).toString()).toBe(first);
  expect(Buffer.from(one!.transport.received).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*heard 3$/s);
  expect(one!.http.request).toMatchObject({ method: "POST", url: "http://here/a?b=c" });
  expect(one!.http.request.headers).toContainEqual(["X-Odd", "twice"]);
  expect(Buffer.from(one!.http.response!.body).toString()).toBe("heard 3");
  expect([one!.transport.reused, two!.transport.reused]).toEqual([false, true]);
  expect(Buffer.from(two!.http.request.body).toString()).toBe("xy");
  expect(stray).toEqual([]);
});

test("a body that no handler reads is recorded, and the events of a stream are", async () => {
  const { recording, recorder: own } = recorder();
  const server = await serve(
    (_request, reply) => {
      const stream = reply.events();
      void stream.send('{"a":1}');
      stream.end();
    },
    { recorder: own },
  );
  const client = dial(server, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
  await client.ended;
  const [only] = recording.exchanges;
  expect(Buffer.from(only!.http.request.body).toString()).toBe("{}");
  expect(only!.http.sse?.events).toMatchObject([{ data: '{"a":1}' }]);
});

test("each event of a stream has the time at which it was written", async () => {
  const { recording, recorder: own } = recorder();
  let read = (): void => {};
  const isRead = new Promise<void>((resolve) => (read = resolve));
  const server = await serve(
    async (_request, { raw }) => {
      raw.writeHead(200, { "Content-Type": "text/event-stream" });
      raw.write("data: one\n\n");
      await isRead;
      raw.write("data: two\n\n");
      raw.end();
    },
    { recorder: own },
  );
  const client = dial(server, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
  await client.until("one");
  read();
  await client.ended;
  const [one, two] = recording.exchanges[0]!.http.sse!.events;
  expect([one!.data, two!.data]).toEqual(["one", "two"]);
  expect(one!.at).toBeLessThan(two!.at);
});

test("a request is reported while its response is still open", async () => {
  const { recording, recorder: own } = recorder();
  const begun: unknown[] = [];
  own.onBegun((each) => begun.push({ ...each, finished: recording.exchanges.length }));
  const server = await serve(
    (_request, reply) => {
      const stream = reply.events();
      void stream.send(JSON.stringify(begun));
      stream.end();
    },
    { recorder: own },
  );
  const client = dial(server, "GET /open HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
  await client.ended;
  expect(begun).toEqual([{ id: recording.exchanges[0]!.id, method: "GET", url: "http://here/open", finished: 0 }]);
});

test("an answer that the server cuts is an exchange, and nothing of it is stray", async () => {
  const { recording, stray, recorder: own } = recorder();
  const server = await serve((_request, reply) => void reply.raw.socket?.destroy(), { recorder: own });
  const client = dial(server, "GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await client.ended;
  await server.close(0);
  expect(recording.exchanges.map(({ failure }) => failure?.code)).toEqual(["closed-early"]);
  expect(stray).toEqual([]);
});

test.each([
  ["half a request", "POST / HTTP/1.1\r\nHost: he"],
  ["what is no HTTP", "hello\r\n\r\n"],
])("%s is stray", async (_what, bytes) => {
  const { recording, stray, recorder: own } = recorder();
  const server = await serve(answer, { recorder: own });
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {}).end(bytes);
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  await server.close(0);
  expect(recording.exchanges).toEqual([]);
  expect(stray.map((each) => Buffer.from(each.bytes).toString())).toEqual([bytes]);
});

test("a call over HTTP/2 is recorded with its metadata, its message and its status", async () => {
  const { recording, recorder: own } = recorder();
  const server = await serve(answer, {
    recorder: own,
    grpc: async (call) => {
      for await (const message of call.messages) void call.send(Buffer.concat([message, message]));
      call.end(0, "", { "x-last": "1" });
    },
  });
  const session = connectHttp2(server.url);
  const stream = session.request({
    ":method": "POST",
    ":path": "/a.B/C",
    "content-type": "application/grpc",
    "a2a-version": "1.0",
  });
  stream.end(Buffer.from([0, 0, 0, 0, 1, 7]));
  stream.resume();
  await new Promise((resolve) => stream.once("close", resolve));
  session.close();
  await server.close(0);
  const [only] = recording.exchanges;
  expect(only!.http.request.url).toBe(`${server.url}/a.B/C`);
  expect(only!.http.request.headers).toContainEqual(["a2a-version", "1.0"]);
  expect([...only!.transport.sent]).toEqual([0, 0, 0, 0, 1, 7]);
  expect(only!.http.grpc?.messages.map(({ bytes }) => [...bytes])).toEqual([[7, 7]]);
  expect(only!.http.response?.trailers).toContainEqual(["grpc-status", "0"]);
  expect(only!.failure).toBeUndefined();
});

import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { collect, listen, rawPeer } from "../client/peers.fixture.ts";
import { frame } from "./frame.ts";
import { framePeer, type RawCall } from "./frames.fixture.ts";
import { hello, testGrpcClient } from "./peers.fixture.ts";

const head = { ":status": "200", "content-type": "application/grpc" };
const ok = { "grpc-status": "0" };
const one = frame(Buffer.from("one"));

/** Does it again and again, as long as somebody takes it. */
function babble(call: RawCall, more: () => void): void {
  const go = (): void => {
    if (call.socket.destroyed) return;
    for (let n = 0; n < 50; n++) more();
    if (call.socket.writableNeedDrain) call.socket.once("drain", go);
    else setImmediate(go);
  };
  go();
}

function packed(bytes: Uint8Array): Buffer {
  const framed = frame(gzipSync(bytes));
  framed[0] = 1;
  return framed;
}

describe("answers that are too much", () => {
  test("a message that says it is huge", async () => {
    const url = await framePeer((call) =>
      call
        .head(head)
        .data(one)
        .data(Buffer.from([0, 0x7f, 0, 0, 0])),
    );
    const { messages, finished } = testGrpcClient().call(hello(url));
    expect(await collect(messages)).toHaveLength(1);
    const { failure, http } = await finished;
    expect(failure).toEqual({
      code: "too-large",
      message: "the response contains a message of 2130706432 bytes (maximum: 4194304)",
    });
    expect(http.response?.bodyTruncated).toBe(true);
  });

  test("messages without end", async () => {
    const url = await framePeer((call) => babble(call.head(head), () => call.data(one)));
    const { messages, finished } = testGrpcClient({ limits: { events: 120 } }).call(hello(url));
    expect(await collect(messages)).toHaveLength(120);
    const { failure, http } = await finished;
    expect(failure).toEqual({ code: "too-many-events", message: "more than 120 messages" });
    expect(http.grpc?.messages).toHaveLength(120);
  });

  test("bytes without end", async () => {
    const url = await framePeer((call) => babble(call.head(head), () => call.data(frame(Buffer.alloc(4_000)))));
    const { failure } = await testGrpcClient({ limits: { wireBytes: 100_000 } }).call(hello(url)).finished;
    expect(failure).toEqual({ code: "too-large", message: "the response exceeds 100000 bytes on the wire" });
  });

  test("a page without end from something that is no gRPC", async () => {
    const page = { ":status": "200", "content-type": "text/html" };
    const url = await framePeer((call) => babble(call.head(page), () => call.data(Buffer.from("<html>"))));
    const { failure, http } = await testGrpcClient({ limits: { bodyBytes: 10_000 } }).call(hello(url)).finished;
    expect(failure).toEqual({ code: "too-large", message: "the body exceeds 10000 bytes" });
    expect(http.response?.body).toHaveLength(10_000);
  });

  test("a bomb", async () => {
    const url = await framePeer((call) =>
      call.head({ ...head, "grpc-encoding": "gzip" }).data(packed(Buffer.alloc(9_000_000))),
    );
    const { failure } = await testGrpcClient().call(hello(url)).finished;
    expect(failure).toEqual({
      code: "too-large",
      message: "the response contains a compressed message that cannot be decompressed",
    });
  });

  test("many small bombs", async () => {
    const bomb = packed(Buffer.alloc(1_000_000));
    const url = await framePeer((call) =>
      babble(call.head({ ...head, "grpc-encoding": "gzip" }), () => call.data(bomb)),
    );
    const { failure, http } = await testGrpcClient({ limits: { bodyBytes: 5_000_000 } }).call(hello(url)).finished;
    expect(failure).toEqual({ code: "too-large", message: "the messages exceed 5000000 bytes" });
    expect(http.grpc?.messages).toHaveLength(5);
  });

  test.each([
    ["the head", (call: RawCall) => call.head({ ...head, big: "x".repeat(9_000) })],
    ["the trailers", (call: RawCall) => call.head(head).head({ ...ok, big: "x".repeat(9_000) }, { end: true })],
    [
      "head and trailers together",
      (call: RawCall) =>
        call.head({ ...head, big: "x".repeat(5_000) }).head({ ...ok, big: "x".repeat(5_000) }, { end: true }),
    ],
    ["interim answers", (call: RawCall) => babble(call, () => call.head({ ":status": "103", link: "</a>" }))],
  ])("more fields than fit in %s", async (_where, answer) => {
    const url = await framePeer(answer);
    const { failure } = await testGrpcClient({ limits: { headerBytes: 8_000 } }).call(hello(url)).finished;
    expect(failure?.code).toBe("too-large");
    expect(failure?.message).toContain("the response headers exceed the limit");
  });
});

describe("answers that do not come", () => {
  const patience = { timeouts: { idle: 80 } };

  test.each([
    ["at all", () => {}],
    ["after the head", (call: RawCall) => void call.head(head)],
    ["after a message", (call: RawCall) => void call.head(head).data(one)],
    [
      "but for pings",
      (call: RawCall) => {
        const timer = setInterval(() => (call.socket.destroyed ? clearInterval(timer) : call.ping()), 10);
      },
    ],
    ["but for DATA without a head", (call: RawCall) => void call.data(one)],
  ])("silence is not waited for without end: nothing comes %s", async (_when, answer) => {
    const url = await framePeer(answer);
    const { failure } = await testGrpcClient(patience).call(hello(url)).finished;
    expect(failure).toEqual({ code: "timeout-idle", message: "timeout: nothing arrived for 80 ms" });
  });

  test("a server that accepts and does not even greet", async () => {
    const url = `http://127.0.0.1:${await listen(createServer())}`;
    expect((await testGrpcClient(patience).call(hello(url)).finished).failure?.code).toBe("timeout-idle");
  });

  test("a stream that trickles for ever is closed after its time", async () => {
    const url = await framePeer((call) => {
      call.head(head);
      const timer = setInterval(() => (call.socket.destroyed ? clearInterval(timer) : call.data(one)), 10);
    });
    const { failure } = await testGrpcClient({ limits: { streamMs: 100 } }).call({ ...hello(url), isStream: true })
      .finished;
    expect(failure).toEqual({ code: "timeout-total", message: "timeout: the call was still open after 100 ms" });
  });

  test("one answer that trickles is not waited for as long as a stream", async () => {
    const url = await framePeer((call) => {
      call.head(head);
      const timer = setInterval(() => (call.socket.destroyed ? clearInterval(timer) : call.data(Buffer.from([0]))), 10);
    });
    const { failure } = await testGrpcClient({ timeouts: { total: 100 } }).call(hello(url)).finished;
    expect(failure).toEqual({ code: "timeout-total", message: "timeout: the call was still open after 100 ms" });
  });
});

describe("answers that break off", () => {
  test.each([
    [
      "RST_STREAM before the head",
      (call: RawCall) => call.reset(7),
      "reset",
      "the peer reset the stream (REFUSED_STREAM)",
    ],
    [
      "RST_STREAM in the middle",
      (call: RawCall) => call.head(head).data(one).reset(2),
      "reset",
      "the peer reset the stream (INTERNAL_ERROR)",
    ],
    [
      "RST_STREAM with CANCEL",
      (call: RawCall) => call.head(head).data(one).reset(8),
      "reset",
      "the peer reset the stream (CANCEL)",
    ],
    [
      "RST_STREAM with a code of its own",
      (call: RawCall) => call.reset(4711),
      "reset",
      "the peer reset the stream (error 4711)",
    ],
    [
      "GOAWAY with an error",
      (call: RawCall) => call.head(head).goaway(11, 0),
      "reset",
      "the peer closed the connection with GOAWAY (ENHANCE_YOUR_CALM)",
    ],
    [
      "GOAWAY, and another that contradicts it",
      (call: RawCall) => call.head(head).goaway(0, 1).goaway(0, 3),
      "reset",
      "the peer closed the connection with GOAWAY",
    ],
    [
      "GOAWAY that leaves this call out",
      (call: RawCall) => call.goaway(0, 0),
      "reset",
      "the peer reset the stream (REFUSED_STREAM)",
    ],
    [
      "the end of the connection",
      (call: RawCall) => call.head(head).data(one).socket.end(),
      "closed-early",
      "the peer closed the connection before the response was complete",
    ],
    [
      "the end of the connection at once",
      (call: RawCall) => call.socket.end(),
      "closed-early",
      "the peer closed the connection before the response was complete",
    ],
    [
      "a reset of the connection",
      // Not at once: Node resets nothing that it is still writing to.
      (call: RawCall) => setTimeout(() => call.socket.resetAndDestroy(), 20),
      "reset",
      "the peer reset the connection (ECONNRESET)",
    ],
    [
      "the end in the middle of a message",
      (call: RawCall) => call.head(head).data(one.subarray(0, 6)).head(ok, { end: true }),
      "malformed",
      "the response ended in the middle of a message",
    ],
    [
      "fields that HTTP/2 forbids",
      (call: RawCall) => call.head({ ...head, Upper: "x" }),
      "malformed",
      "the response violates HTTP/2: the stream was reset with PROTOCOL_ERROR",
    ],
  ])("with %s", async (_how, answer, code, message) => {
    const url = await framePeer(answer);
    const client = testGrpcClient({ timeouts: { idle: 2_000 } });
    expect((await client.call(hello(url)).finished).failure).toEqual({ code, message });
    // And the next call begins anew.
    expect((await client.call(hello(url)).finished).transport.reused).toBe(false);
  });

  test.each([
    ["HTTP/1", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"],
    ["nothing we know", "\x07".repeat(500)],
  ])("a peer that speaks %s is told as such", async (_what, words) => {
    const { url } = await rawPeer((socket) => void socket.write(words));
    const { failure } = await testGrpcClient().call(hello(url)).finished;
    expect(failure).toEqual({
      code: "malformed",
      message: "the server does not speak HTTP/2: Protocol error",
      hint: "Check that this is the gRPC port.",
    });
  });

  test("a connection that died while it lay idle gets the hint that it was an old one", async () => {
    let calls = 0;
    const url = await framePeer((call) => {
      calls += 1;
      if (calls === 1) call.head({ ...head, ...ok }, { end: true });
      else call.socket.end();
    });
    const client = testGrpcClient();
    await client.call(hello(url)).finished;
    expect((await client.call(hello(url)).finished).failure?.hint).toMatch(/reused from an earlier request/);
  });
});

describe("answers that are merely odd are kept as they are, for others to judge", () => {
  const fieldsOf = async (answer: (call: RawCall) => void) => {
    const url = await framePeer(answer);
    const { failure, http } = await testGrpcClient().call(hello(url)).finished;
    expect(failure).toBe(undefined);
    return http;
  };

  test("a status among the headers", async () => {
    const { response, grpc } = await fieldsOf((call) => call.head({ ...head, "grpc-status": "5" }, { end: true }));
    expect(response?.headers).toContainEqual(["grpc-status", "5"]);
    expect([response?.trailers, grpc?.messages]).toEqual([[], []]);
  });

  test("no status anywhere", async () => {
    const { response, grpc } = await fieldsOf((call) => call.head(head).data(one, { end: true }));
    expect([response?.trailers, grpc?.messages.length]).toEqual([[], 1]);
  });

  test("RST_STREAM with NO_ERROR instead of trailers", async () => {
    const { response } = await fieldsOf((call) => call.head(head).data(one).reset(0));
    expect(response?.trailers).toEqual([]);
  });

  test.each([0, 2, 8])("RST_STREAM %d behind an answer that is complete", async (code) => {
    const { response } = await fieldsOf((call) => call.head(head).data(one).head(ok, { end: true }).reset(code));
    expect(response?.trailers).toEqual([["grpc-status", "0"]]);
  });

  test("GOAWAY while the last call runs", async () => {
    const { response } = await fieldsOf((call) => {
      call.head(head).goaway(0, 1);
      setTimeout(() => call.head(ok, { end: true }), 30);
    });
    expect(response?.trailers).toEqual([["grpc-status", "0"]]);
  });

  test("another HTTP status", async () => {
    const page = { ":status": "503", "content-type": "text/plain" };
    const { response, grpc } = await fieldsOf((call) => call.head(page).data(Buffer.from("down"), { end: true }));
    expect([response?.status, String(response?.body), grpc]).toEqual([503, "down", undefined]);
  });

  test.each(["text/html", "application/grpc-web+proto", "application/json"])("content-type %s", async (type) => {
    const { response, grpc } = await fieldsOf((call) =>
      call.head({ ":status": "200", "content-type": type }).data(Buffer.from("<html>"), { end: true }),
    );
    expect([String(response?.body), grpc]).toEqual(["<html>", undefined]);
  });

  test("interim answers before the real one", async () => {
    const { response } = await fieldsOf((call) =>
      call.head({ ":status": "103" }).head({ ...head, ...ok }, { end: true }),
    );
    expect(response?.status).toBe(200);
  });
});

test("a call that was stopped for its size does not harm its neighbour on the same connection", async () => {
  let calls = 0;
  const url = await framePeer((call) => {
    calls += 1;
    if (calls === 1) setTimeout(() => call.head(head).data(one).head(ok, { end: true }), 100);
    else call.head(head).data(Buffer.from([0, 0x7f, 0, 0, 0]));
  });
  const client = testGrpcClient();
  const good = client.call(hello(url));
  const bad = client.call(hello(url));
  expect((await bad.finished).failure?.code).toBe("too-large");
  expect((await good.finished).failure).toBe(undefined);
});

describe("RST_STREAM is for calls that are broken off", () => {
  const expectResets = async (
    expected: readonly number[],
    answer: (call: RawCall) => void,
    { message = Buffer.from("hello"), leaves = false } = {},
  ): Promise<void> => {
    const resets: number[] = [];
    let calls = 0;
    const answerFirst = (call: RawCall): void => {
      calls += 1;
      if (calls === 1) answer(call);
      else call.head({ ...head, ...ok }, { end: true });
    };
    const url = await framePeer(answerFirst, (code) => resets.push(code));
    const client = testGrpcClient();
    const call = client.call({ ...hello(url), message });
    if (leaves) for await (const _ of call.messages) call.cancel();
    await call.finished;
    await expect.poll(() => resets).toEqual(expected);
    // Frames arrive in their order: a reset too many would come before the next call on this connection.
    expect((await client.call(hello(url)).finished).failure).toBe(undefined);
    expect(resets).toEqual(expected);
  };

  test("one that ended well is left alone", async () => {
    await expectResets([], (call) => call.head({ ...head, ...ok }, { end: true }));
    await expectResets([], (call) => call.head(head).data(one).head(ok, { end: true }));
  });

  test("one that we left is cancelled", async () => {
    await expectResets([8], (call) => call.head(head).data(one), { leaves: true });
  });

  test("one whose answer did not wait for all of the request, too", async () => {
    const large = Buffer.alloc(1_000_000);
    await expectResets([8], (call) => call.head({ ...head, ...ok }, { end: true }), { message: large });
  });
});

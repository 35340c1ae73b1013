import { createServer as createTcpServer } from "node:net";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { collect, httpPeer, listen, rawPeer, testClient, text } from "./peers.fixture.ts";

const get = (url: string) => ({ method: "GET", url });

describe("responses that are too large", () => {
  test("reading a gzip bomb stops early", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      const bomb = createGzip();
      bomb.pipe(response);
      const zeros = Buffer.alloc(1024 * 1024);
      for (let megabytes = 0; megabytes < 200; megabytes++) bomb.write(zeros);
      bomb.end();
    });
    const { failure, http, transport } = await testClient({ limits: { bodyBytes: 1_000_000 } }).request(get(url));
    expect(failure?.code).toBe("too-large");
    expect(http.response?.body).toHaveLength(1_000_000);
    expect(http.response?.bodyTruncated).toBe(true);
    expect(transport.received.length).toBeLessThan(200_000);
  });

  test("reading an endless event stream stops at the limit", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const more = (): unknown => response.write("data: x\n\n".repeat(50)) && setImmediate(more);
      response.on("drain", more);
      more();
    });
    const stream = await testClient({ limits: { events: 120 } }).stream(get(url));
    expect(await collect(stream.events)).toHaveLength(120);
    const { failure, http } = await stream.finished;
    expect(failure?.code).toBe("too-many-events");
    expect(http.sse?.events).toHaveLength(120);
  });

  test("one event of 10 MB is refused long before it is complete", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`data: fine\n\ndata: ${"x".repeat(10_000_000)}\n\n`);
    });
    const stream = await testClient({ limits: { eventSize: 100_000 } }).stream(get(url));
    expect((await collect(stream.events)).map(({ data }) => data)).toEqual(["fine"]);
    const { failure, transport } = await stream.finished;
    expect(failure).toEqual({ code: "too-large", message: "one event exceeds 100000 characters" });
    expect(transport.received.length).toBeLessThan(1_000_000);
  });

  test("a stream that stays open is closed after its time", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const beat = setInterval(() => response.write(": still here\n"), 10);
      response.on("close", () => clearInterval(beat));
    });
    const limits = { streamMs: 300 };
    expect((await (await testClient({ limits }).stream(get(url))).finished).failure).toEqual({
      code: "timeout-total",
      message: "timeout: the stream was still open after 300 ms",
    });
    // One that was not asked for has no more time than any other answer.
    const client = testClient({ limits, timeouts: { total: 150 } });
    expect((await client.request(get(url))).failure).toEqual({
      code: "timeout-total",
      message: "timeout: the response was not complete after 150 ms",
    });
  });

  test.each([
    ["header fields", "HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"],
    ["a status line", "HTTP/1.1 200 O", "K".repeat(20)],
    ["interim answers", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
    ["chunk extensions", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", "ext=more;"],
  ])("%s without end are not read for ever", async (_what, start, more) => {
    const peer = await rawPeer((socket) => {
      socket.write(start);
      const babble = (): void => {
        if (!socket.destroyed && socket.write(more.repeat(500))) setImmediate(babble);
        else socket.once("drain", babble);
      };
      babble();
    });
    const { failure } = await testClient({ limits: { wireBytes: 1_000_000 } }).request(get(peer.url));
    expect(failure?.code).toBe("too-large");
  });

  test("a body larger than the limit on the wire is not read to its end", async () => {
    const url = await httpPeer((_request, response) => response.end(Buffer.alloc(5_000_000)));
    const { failure, http } = await testClient({ limits: { wireBytes: 100_000 } }).request(get(url));
    expect(failure?.code).toBe("too-large");
    expect(http.response?.bodyTruncated).toBe(true);
  });

  test("a body coded more often than anybody needs is left as it is", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip, gzip, gzip, gzip, gzip" }).end("not undone");
    });
    const { http } = await testClient().request(get(url));
    expect(http.response).toMatchObject({ undecoded: "gzip, gzip, gzip, gzip, gzip", body: Buffer.from("not undone") });
  });
});

describe("answers that are too little", () => {
  test.each([
    ["a reset in the middle of the body", "reset", (half: string) => half, "reset"],
    ["an early close in the middle of the body", "closed-early", (half: string) => half, "close"],
    ["a chunked body without its last chunk", "closed-early", () => chunked, "close"],
    ["a connection closed without a word", "closed-early", () => "", "close"],
  ])("%s is told as %s", async (_what, code, say, how) => {
    const peer = await rawPeer((socket) => {
      socket.write(say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), () => {
        setTimeout(() => (how === "reset" ? socket.resetAndDestroy() : socket.end()), 20);
      });
    });
    const { failure, http } = await testClient().request(get(peer.url));
    expect(failure?.code).toBe(code);
    if (http.response) {
      expect(text(http.response.body)).toBe("half");
      expect(http.response.bodyTruncated).toBe(true);
    }
  });

  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";

  test("a peer that never answers runs into the idle limit", async () => {
    const peer = await rawPeer(() => {});
    const { failure, timing } = await testClient({ timeouts: { idle: 80 } }).request(get(peer.url));
    expect(failure).toEqual({ code: "timeout-idle", message: "timeout: no byte arrived for 80 ms" });
    expect(timing.firstByte).toBeUndefined();
  });

  test.each([
    ["body", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "x"],
    ["head", "HTTP/1.1 200 OK\r\nX-Long: ", "x"],
    ["list of interim answers", "", "HTTP/1.1 102 Processing\r\n\r\n"],
  ])("a peer whose %s comes in drops runs into the total limit", async (_what, first, drop) => {
    const peer = await rawPeer((socket) => {
      socket.write(first);
      const dripping = setInterval(() => socket.write(drop), 10);
      socket.on("close", () => clearInterval(dripping));
    });
    const { failure } = await testClient({ timeouts: { idle: 5_000, total: 120 } }).request(get(peer.url));
    expect(failure?.code).toBe("timeout-total");
  });

  test("a server that accepts and then keeps silent in the handshake runs into the connect limit", async () => {
    const port = await listen(createTcpServer(() => {}));
    const { failure } = await testClient({ timeouts: { connect: 80 } }).request(get(`https://127.0.0.1:${port}/`));
    expect(failure?.code).toBe("timeout-connect");
  });

  test("a port without a listener and an unknown host name are different failures", async () => {
    const client = testClient();
    const nobody = await client.request(get("http://127.0.0.1:1/"));
    expect(nobody.failure).toMatchObject({
      code: "connect-refused",
      hint: "Check that the server is running on this port.",
    });
    const nowhere = await client.request(get("http://no-such-host.invalid/"));
    expect(nowhere.failure?.code).toBe("dns");
  });
});

describe("answers that make no sense", () => {
  test.each([
    ["garbage", "\x00\x01garbage\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
  ])("%s is malformed, and its bytes are kept", async (_what, said) => {
    const peer = await rawPeer((socket) => socket.write(said));
    const { failure, transport } = await testClient().request(get(peer.url));
    expect(failure?.code).toBe("malformed");
    expect(text(transport.received)).toBe(said);
  });

  test("a body that is not what its coding says is malformed", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end("plain text");
    });
    expect((await testClient().request(get(url))).failure?.code).toBe("malformed");
  });

  test("an interim 100 that we cannot read is not blamed on the peer", async () => {
    const peer = await rawPeer((socket) =>
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
    );
    expect((await testClient().request(get(peer.url))).failure?.code).toBe("unsupported");
  });
});

describe("content codings", () => {
  const plain = "hello, ".repeat(1000);
  test.each([
    ["gzip", gzipSync(plain)],
    ["x-gzip", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["deflate", deflateRawSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["gzip, br", brotliCompressSync(gzipSync(plain))],
    ["identity", Buffer.from(plain)],
  ])("%s is undone", async (coding, coded) => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": coding }).end(coded);
    });
    const { http, failure } = await testClient().request(get(url));
    expect(failure).toBeUndefined();
    expect(text(http.response?.body)).toBe(plain);
  });

  test("a coded answer without a body is no failure", async () => {
    const url = await httpPeer((_request, response) => response.writeHead(204, { "Content-Encoding": "gzip" }).end());
    expect((await testClient().request(get(url))).failure).toBeUndefined();
  });

  test("events in a compressed stream arrive when they are flushed, not when the stream ends", async () => {
    const url = await httpPeer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Content-Encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write("data: one\n\n");
      gzip.flush();
    });
    const stream = await testClient().stream(get(url));
    for await (const { data } of stream.events) {
      expect(data).toBe("one");
      break;
    }
  });
});

import { createServer as createHttpServer } from "node:http";
import { createSecureServer } from "node:http2";
import { connect, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { type Certificates, makeCertificates } from "../client/certificates.fixture.ts";
import { collect, listen } from "../client/peers.fixture.ts";
import { createEgressGuard } from "../egress.ts";
import { frame } from "./frame.ts";
import { framePeer } from "./frames.fixture.ts";
import { echo, grpcServer, hello, testGrpcClient } from "./peers.fixture.ts";

const texts = (messages: readonly { bytes: Uint8Array }[] | undefined): string[] | undefined =>
  messages?.map(({ bytes }) => Buffer.from(bytes).toString());

describe("a call is recorded in layers", () => {
  test("header lists, DATA, messages with their times, and trailers", async () => {
    const { url } = await grpcServer(echo);
    const client = testGrpcClient({ userAgent: "assay/test" });
    const metadata = [
      ["A2A-Version", "1.0"],
      ["x-twice", "1"],
      ["X-Twice", "2"],
    ] as const;
    const { messages, finished } = client.call({ ...hello(url), metadata, timeoutMs: 5_000 });
    expect(texts(await collect(messages))).toEqual(["echo: hello"]);

    const { id, transport, http, timing, remote, failure } = await finished;
    expect(id).toBe("x1");
    expect(failure).toBe(undefined);
    expect(http.request).toEqual({
      method: "POST",
      url: `${url}/test.Echo/Say`,
      headers: [
        [":method", "POST"],
        [":scheme", "http"],
        [":path", "/test.Echo/Say"],
        [":authority", new URL(url).host],
        ["te", "trailers"],
        ["content-type", "application/grpc+proto"],
        ["grpc-timeout", "5000m"],
        ["user-agent", "assay/test"],
        ["a2a-version", "1.0"],
        ["x-twice", "1"],
        ["x-twice", "2"],
      ],
      body: frame(Buffer.from("hello")),
      bodyTruncated: false,
    });
    expect(transport).toEqual({
      http2: true,
      sent: frame(Buffer.from("hello")),
      sentTruncated: false,
      received: frame(Buffer.from("echo: hello")),
      receivedTruncated: false,
      reused: false,
    });
    expect(http.response).toEqual({
      status: 200,
      statusText: "",
      headers: [
        [":status", "200"],
        ["content-type", "application/grpc+proto"],
        ["date", expect.any(String)],
      ],
      trailers: [["grpc-status", "0"]],
      body: transport.received,
      bodyTruncated: false,
    });
    expect(http.grpc).toEqual({
      messages: [{ at: expect.any(Number), bytes: Buffer.from("echo: hello") }],
      messagesDropped: 0,
    });
    const { connected = 0, requestSent = 0, firstByte = 0, end } = timing;
    const moments = [0, connected, requestSent, firstByte, end];
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(remote).toEqual({ address: "127.0.0.1", port: Number(new URL(url).port) });
    expect(client.recording.get("x1")?.http.grpc).toEqual(http.grpc);
  });

  test("the header list is the one that went out", async () => {
    let seen: unknown;
    const { url } = await grpcServer(async (call) => {
      const { ":method": method, te, "content-type": type, "x-twice": twice, "grpc-timeout": timeout } = call.headers;
      seen = [method, te, type, twice, timeout];
      call.end(0);
    });
    const metadata = [
      ["content-type", "application/grpc"],
      ["x-twice", "1"],
      ["x-twice", "2"],
    ] as const;
    await testGrpcClient().call({ ...hello(url), metadata }).finished;
    expect(seen).toEqual(["POST", "trailers", "application/grpc", "1, 2", undefined]);
  });

  test("each message of a stream has its own time", async () => {
    const { url } = await grpcServer(async (call) => {
      await call.send(Buffer.from("now"));
      await new Promise((resolve) => setTimeout(resolve, 60));
      await call.send(Buffer.from("later"));
      call.end(0);
    });
    const { http } = await testGrpcClient().call(hello(url)).finished;
    const [now, later] = http.grpc?.messages ?? [];
    expect(later!.at).toBeGreaterThan(now!.at);
  });

  test("what the recording cuts, the caller still has", async () => {
    const { url } = await grpcServer(async (call) => {
      for (let n = 0; n < 4; n++) await call.send(Buffer.alloc(1_000, n));
      call.end(0);
    });
    const { Recording } = await import("../recording/recording.ts");
    const recording = new Recording({ bytesPerExchange: 6_100 });
    const { http } = await testGrpcClient({ recording }).call(hello(url)).finished;
    expect(http.grpc?.messages).toHaveLength(4);
    expect(recording.get("x1")?.http.grpc).toMatchObject({ messages: [{}, {}], messagesDropped: 2 });
    expect(recording.get("x1")?.transport.receivedTruncated).toBe(true);
  });
});

test("messages that came compressed are unpacked", async () => {
  const packed = frame(gzipSync("hello"));
  packed[0] = 1;
  const url = await framePeer((call) =>
    call
      .head({ ":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip" })
      .data(packed)
      .data(frame(Buffer.from("plain")))
      .head({ "grpc-status": "0" }, { end: true }),
  );
  const { http, transport } = await testGrpcClient().call(hello(url)).finished;
  expect(texts(http.grpc?.messages)).toEqual(["hello", "plain"]);
  expect(transport.received.subarray(0, packed.length)).toEqual(packed);
});

describe("connections", () => {
  test("one carries all calls to its authority, at once and in turn", async () => {
    const { url, connections } = await grpcServer(echo);
    const client = testGrpcClient();
    const first = await client.call(hello(url)).finished;
    const more = await Promise.all(Array.from({ length: 20 }, () => client.call(hello(url)).finished));
    expect(connections()).toBe(1);
    expect([first, ...more].map(({ transport }) => transport.reused)).toEqual([false, ...more.map(() => true)]);
    expect(more.every(({ http }) => http.response?.trailers[0]?.[1] === "0")).toBe(true);
  });

  test("calls that begin together share the one that is being opened", async () => {
    const { url, connections } = await grpcServer(echo);
    const client = testGrpcClient();
    await Promise.all([client.call(hello(url)).finished, client.call(hello(url)).finished]);
    expect(connections()).toBe(1);
  });

  test("one that the peer has closed is replaced", async () => {
    const { url, side, connections } = await grpcServer(echo);
    const client = testGrpcClient();
    await client.call(hello(url)).finished;
    side.retire();
    const again = async () => {
      const { failure, transport } = await client.call(hello(url)).finished;
      return failure ?? transport.reused;
    };
    await expect.poll(again).toBe(false);
    expect(connections()).toBe(2);
  });

  test("one of its own, for a call that asks for it; those that follow share it", async () => {
    const { url, connections } = await grpcServer(echo);
    const client = testGrpcClient();
    await client.call(hello(url)).finished;
    const { failure, transport } = await client.call({ ...hello(url), fresh: true }).finished;
    expect([failure, transport.reused]).toEqual([undefined, false]);
    expect((await client.call(hello(url)).finished).transport.reused).toBe(true);
    expect(connections()).toBe(2);
  });

  test("an unreachable server is reported, and the next call tries again", async () => {
    const { url } = await grpcServer(echo);
    const client = testGrpcClient();
    const nobody = hello("127.0.0.1:1");
    expect((await client.call(nobody).finished).failure?.code).toBe("connect-refused");
    expect((await client.call(nobody).finished).failure?.code).toBe("connect-refused");
    expect((await client.call(hello(url)).finished).failure).toBe(undefined);
  });

  test("a client that is closed ends what is under way", async () => {
    const { url } = await grpcServer(
      (call) => new Promise((resolve) => call.signal.addEventListener("abort", () => resolve())),
    );
    const client = testGrpcClient();
    const { finished } = client.call(hello(url));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.close();
    expect((await finished).failure?.code).toBe("aborted");
    expect((await client.call(hello(url)).finished).failure?.code).toBe("aborted");
  });
});

describe("the guard", () => {
  test("refuses an address that nobody named, before anything is sent", async () => {
    const { url, connections } = await grpcServer(echo);
    const client = testGrpcClient({ guard: createEgressGuard() });
    const { failure, http } = await client.call(hello(url)).finished;
    expect(failure?.code).toBe("refused-by-guard");
    expect(http.response).toBe(undefined);
    expect(connections()).toBe(0);
  });

  test("pins the address that a name was judged by", async () => {
    const { url } = await grpcServer(echo);
    const guard = createEgressGuard({
      allowLoopback: true,
      lookup: async (name) => [{ address: name === "agent.test" ? "127.0.0.1" : "10.0.0.1", family: 4 }],
    });
    const client = testGrpcClient({ guard });
    const { port } = new URL(url);
    const good = await client.call(hello(`agent.test:${port}`)).finished;
    expect(good.http.request.headers).toContainEqual([":authority", `agent.test:${port}`]);
    expect(good.remote?.address).toBe("127.0.0.1");
    expect((await client.call(hello(`evil.test:${port}`)).finished).failure?.code).toBe("refused-by-guard");
  });
});

test.each([
  ["an address that is none", { url: "unix:///tmp/x" }, /"unix:\/\/\/tmp\/x" is not a valid gRPC address/],
  ["a field that HTTP/2 forbids", { metadata: [["Connection", "close"]] as const }, /cannot send "connection: close"/],
  ["a field of HTTP/2's own", { metadata: [[":path", "/x"]] as const }, /Header name must be a valid HTTP token/],
  ["a line break", { metadata: [["x", "a\nb"]] as const }, /Invalid character in header content/],
  [
    "two logins",
    {
      metadata: [
        ["Authorization", "a"],
        ["authorization", "b"],
      ] as const,
    },
    /cannot send "authorization" twice/,
  ],
])("%s is our own mistake, and thrown", (_what, part, message) => {
  expect(() => testGrpcClient().call({ ...hello("127.0.0.1:1"), ...part })).toThrow(message);
});

test("a signal that is aborted ends a call, whether it has begun or not", async () => {
  const { url, connections } = await grpcServer(
    (call) => new Promise((resolve) => call.signal.addEventListener("abort", () => resolve())),
  );
  const client = testGrpcClient();
  const before = client.call(hello(url), AbortSignal.abort());
  expect((await before.finished).failure?.code).toBe("aborted");
  expect(connections()).toBe(0);
  const during = client.call(hello(url), AbortSignal.timeout(50));
  expect(await collect(during.messages)).toEqual([]);
  expect((await during.finished).failure?.code).toBe("aborted");
});

describe("TLS and proxies", () => {
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });

  const secureServer = (options: object = {}): Promise<number> => {
    const server = createSecureServer({ ...certificates.server, ...options });
    server.on("stream", (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(frame(Buffer.from("over TLS")));
    });
    return listen(server);
  };

  async function startProxy(port: number) {
    const seen: string[] = [];
    const server = createHttpServer();
    server.on("connect", (request, socket: Socket) => {
      seen.push(`CONNECT ${request.url}`);
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      socket.on("error", () => onward.destroy());
      onward.on("error", () => socket.destroy());
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, seen };
  }

  test("a server that the given authority vouches for is spoken to in h2", async () => {
    const port = await secureServer();
    const { http, failure } = await testGrpcClient({ tls: { ca: certificates.ca } }).call(
      hello(`https://127.0.0.1:${port}`),
    ).finished;
    expect(failure).toBe(undefined);
    expect(texts(http.grpc?.messages)).toEqual(["over TLS"]);
    expect(http.request.headers).toContainEqual([":scheme", "https"]);
  });

  test("one that nobody vouches for is not", async () => {
    const port = await secureServer();
    const { failure } = await testGrpcClient().call(hello(`grpcs://127.0.0.1:${port}`)).finished;
    expect(failure?.code).toBe("tls");
  });

  test("a client certificate is shown", async () => {
    const port = await secureServer({ requestCert: true, ca: certificates.ca });
    const client = testGrpcClient({ tls: { ca: certificates.ca, ...certificates.client } });
    expect((await client.call(hello(`https://127.0.0.1:${port}`)).finished).failure).toBe(undefined);
  });

  test.each([
    ["speaks HTTP/1.1 only", { ALPNProtocols: ["http/1.1"] }],
    ["does not negotiate", {}],
  ])("a server that %s is told from one that speaks gRPC", async (_what, options) => {
    const port = await listen(createTlsServer({ ...certificates.server, ...options }));
    const { failure } = await testGrpcClient({ tls: { ca: certificates.ca } }).call(hello(`https://127.0.0.1:${port}`))
      .finished;
    expect(failure?.code).toBe("tls");
    expect(`${failure?.message} ${failure?.hint}`).toMatch(/HTTP/);
  });

  /** Nothing resolves: behind a proxy, names are the proxy's business. */
  const guard = createEgressGuard({
    lookup: () => Promise.reject(new Error("no DNS here")),
    trustedHosts: ["agent.test"],
  });

  test("TLS goes through a tunnel of the proxy", async () => {
    const proxy = await startProxy(await secureServer());
    const client = testGrpcClient({ guard, tls: { ca: certificates.ca }, proxies: { httpsProxy: proxy.url } });
    const { http, transport, failure } = await client.call(hello("agent.test:443")).finished;
    expect(failure).toBe(undefined);
    expect(texts(http.grpc?.messages)).toEqual(["over TLS"]);
    expect(transport.proxy).toBe(proxy.url);
    expect(proxy.seen).toEqual(["CONNECT agent.test:443"]);
  });

  test("plaintext does too, because a proxy cannot forward HTTP/2", async () => {
    const { url } = await grpcServer(echo);
    const proxy = await startProxy(Number(new URL(url).port));
    const client = testGrpcClient({ guard, proxies: { httpProxy: proxy.url } });
    const { http } = await client.call(hello("agent.test:50051")).finished;
    expect(texts(http.grpc?.messages)).toEqual(["echo: hello"]);
    expect(proxy.seen).toEqual(["CONNECT agent.test:50051"]);
  });

  test("a private address is refused before the proxy is asked", async () => {
    const proxy = await startProxy(1);
    const client = testGrpcClient({ guard: createEgressGuard(), proxies: { httpProxy: proxy.url } });
    expect((await client.call(hello("10.0.0.1:50051")).finished).failure?.code).toBe("refused-by-guard");
    expect(proxy.seen).toEqual([]);
  });
});

test("calls that want a fresh connection take none away from calls that are about to be sent", async () => {
  const { url } = await grpcServer(echo);
  const client = testGrpcClient();
  const calls = Array.from({ length: 60 }, (_, nth) => client.call({ ...hello(url), ...(nth % 2 && { fresh: true }) }));
  const failures = (await Promise.all(calls.map(({ finished }) => finished))).flatMap(({ failure }) => failure ?? []);
  expect(failures).toEqual([]);
});

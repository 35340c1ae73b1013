import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { collect } from "../client/peers.fixture.ts";
import type { GrpcCall } from "./call.ts";
import { FrameError, frame } from "./frame.ts";
import { echo, grpcServer, hello, testGrpcClient } from "./peers.fixture.ts";

/** Somewhere to wait until the test says so. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A session of Node's own, for what our client is too polite to send. */
function session(url: string): ClientHttp2Session {
  const made = connect(url);
  made.on("error", () => {});
  onTestFinished(() => made.destroy());
  return made;
}

const head = { ":method": "POST", ":path": "/test.Echo/Say", "content-type": "application/grpc", te: "trailers" };

async function answerOf(stream: ClientHttp2Stream): Promise<{ status: unknown; body: string }> {
  stream.on("error", () => {});
  let status: unknown;
  stream.on("response", (headers) => {
    status = headers[":status"];
  });
  const body = Buffer.concat(await collect(stream as AsyncIterable<Buffer>)).toString();
  return { status, body };
}

test("a call has its path, metadata and authority, and its answer metadata of its own", async () => {
  let seen: unknown;
  const { url } = await grpcServer(async (call) => {
    const { path, headers, host, secure } = call;
    seen = [path, headers["a2a-version"], `http://${host}`, secure];
    call.start({ "x-first": "1" });
    await call.send(Buffer.from("a"));
    await call.send(Buffer.from("b"));
    call.end(0, "", { "x-last": "2" });
  });
  const { finished } = testGrpcClient().call({ ...hello(url), metadata: [["A2A-Version", "1.0"]] });
  const { http } = await finished;
  expect(seen).toEqual(["/test.Echo/Say", "1.0", url, false]);
  expect(http.response?.headers).toContainEqual(["x-first", "1"]);
  expect(http.response?.trailers).toEqual([
    ["grpc-status", "0"],
    ["x-last", "2"],
  ]);
  expect(http.grpc?.messages.map(({ bytes }) => String(bytes))).toEqual(["a", "b"]);
});

test("a call that fails before its first message answers with one list of headers", async () => {
  const { url } = await grpcServer(async (call) => call.end(5, "no täsk", { "x-why": "gone" }));
  const { http } = await testGrpcClient().call(hello(url)).finished;
  const { date: _, ...headers } = Object.fromEntries(http.response?.headers ?? []);
  expect(headers).toEqual({
    ":status": "200",
    "content-type": "application/grpc+proto",
    "grpc-status": "5",
    "grpc-message": "no t%C3%A4sk",
    "x-why": "gone",
  });
  expect(http.response?.trailers).toEqual([]);
});

test("a request without a message that has ended before it is read is over, and not waited for", async () => {
  const { url } = await grpcServer(async (call) => {
    // The end of a stream is told once, to whoever reads it: here before the messages are asked for.
    call.raw.resume();
    await once(call.raw, "end");
    const messages = await collect(call.messages);
    call.end(3, `${messages.length} messages`);
  });
  const stream = session(url).request(head);
  const [answer] = (await Promise.all([once(stream, "response"), stream.end()]))[0];
  expect(answer).toMatchObject({ "grpc-status": "3", "grpc-message": "0 messages" });
});

test("a handler that throws is an internal error without its message", async () => {
  const { url, internalErrors } = await grpcServer(async () => {
    throw new Error("secret");
  });
  const { http } = await testGrpcClient().call(hello(url)).finished;
  expect(http.response?.headers).toContainEqual(["grpc-status", "13"]);
  expect(http.response?.headers).toContainEqual(["grpc-message", "the server failed to handle this call"]);
  expect(internalErrors).toEqual([new Error("secret")]);
});

describe("a deadline", () => {
  test("ends the call and tells its handler", async () => {
    let aborted = false;
    const { url } = await grpcServer(
      (call) =>
        new Promise((resolve) => {
          call.signal.addEventListener("abort", () => {
            aborted = true;
            resolve();
          });
        }),
    );
    const { http } = await testGrpcClient().call({ ...hello(url), timeoutMs: 30 }).finished;
    expect(http.response?.headers).toContainEqual(["grpc-status", "4"]);
    expect(aborted).toBe(true);
  });

  test("that passes while a stream runs comes as trailers behind what was sent", async () => {
    const { url } = await grpcServer(async (call) => {
      await call.send(Buffer.from("one"));
      await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    });
    const within = async (timeoutMs: number) =>
      (await testGrpcClient().call({ ...hello(url), timeoutMs }).finished).http;
    // On a busy machine the first deadline may pass before the first message.
    let heard = await within(50);
    for (let ms = 200; heard.grpc?.messages.length !== 1 && ms < 100_000; ms *= 4) heard = await within(ms);
    expect(heard.grpc?.messages).toHaveLength(1);
    expect(heard.response?.trailers[0]).toEqual(["grpc-status", "4"]);
  });
});

test("a client that cancels aborts the call, and nothing more can be said to it", async () => {
  const calls: GrpcCall[] = [];
  const { url, internalErrors } = await grpcServer(async (call) => {
    calls.push(call);
    await call.send(Buffer.from("one"));
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    await call.send(Buffer.from("two"));
    call.end(0);
  });
  const call = testGrpcClient().call(hello(url));
  for await (const _ of call.messages) break;
  expect((await call.finished).failure?.code).toBe("aborted");
  await expect.poll(() => calls[0]?.signal.aborted).toBe(true);
  expect(internalErrors).toEqual([]);
});

test("a stream that its client resets at once gets no response, and the server goes on", async () => {
  const { url, internalErrors } = await grpcServer(async (call) => {
    await call.send(Buffer.from("late"));
    call.end(0);
  });
  const client = session(url);
  const resets = Array.from({ length: 14 }, (_, code) => {
    const stream = client.request(head);
    stream.on("error", () => {}).on("ready", () => stream.close(code));
    return new Promise((resolve) => stream.once("close", resolve));
  });
  await Promise.all(resets);
  const { http } = await testGrpcClient().call(hello(url)).finished;
  expect(http.response?.trailers).toEqual([["grpc-status", "0"]]);
  expect(internalErrors).toEqual([]);
});

describe("requests that are no gRPC", () => {
  test.each([
    ["GET", "application/grpc"],
    ["POST", "application/grpc-web"],
    ["POST", "application/grpc+json"],
    ["HEAD", "application/grpc"],
  ])("%s with %j is a form of gRPC that is not spoken: 415", async (method, type) => {
    const { url } = await grpcServer(echo);
    const stream = session(url).request({ ":method": method, ":path": "/", "content-type": type });
    if (method === "POST") stream.end("{}");
    const { status, body } = await answerOf(stream);
    expect(status).toBe(415);
    expect(body).toContain(method === "HEAD" ? "" : "only gRPC with POST and application/grpc");
  });

  test.each([
    ["POST", "application/json"],
    ["DELETE", ""],
  ])("%s with %j is plain HTTP", async (method, type) => {
    const { url } = await grpcServer(echo);
    const stream = session(url).request({ ":method": method, ":path": "/", ...(type && { "content-type": type }) });
    if (method === "POST") stream.end("{}");
    expect(await answerOf(stream)).toEqual({ status: 200, body: "web" });
  });

  test("are refused however they end, and the server goes on", async () => {
    const { url } = await grpcServer(echo);
    const client = session(url);
    const ends = Array.from({ length: 14 }, (_, code) => {
      const stream = client.request({ ":method": "POST", ":path": "/" });
      stream.on("error", () => {}).on("ready", () => stream.write("x", () => stream.close(code)));
      return new Promise((resolve) => stream.once("close", resolve));
    });
    await Promise.all(ends);
    const { http } = await testGrpcClient().call(hello(url)).finished;
    expect(String(http.grpc?.messages[0]?.bytes)).toBe("echo: hello");
  });

  test.each([
    ["ends in the middle of a message", frame(Buffer.from("hello")).subarray(0, 7), "malformed"],
    ["announces more than the server takes", Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), "too-large"],
    ["has a flag that means nothing", Buffer.from([9, 0, 0, 0, 0]), "malformed"],
  ])("a body that %s is a FrameError for the handler", async (_what, bytes, kind) => {
    const seen: unknown[] = [];
    const { url } = await grpcServer(async (call) => {
      await collect(call.messages).catch((error: unknown) => seen.push(error));
      call.end(3, "no");
    });
    const stream = session(url).request(head);
    stream.end(bytes);
    await answerOf(stream);
    expect(seen).toEqual([expect.any(FrameError)]);
    expect(seen).toMatchObject([{ kind }]);
  });
});

test("a client that never stops sending is held back, and let go when the call is over", async () => {
  const { passed, open } = gate();
  const { url } = await grpcServer(async (call) => {
    for await (const _ of call.messages) break;
    await passed;
    call.end(0);
  });
  const stream = session(url).request(head);
  stream.on("error", () => {});
  const trailers = new Promise<unknown>((resolve) => stream.once("trailers", resolve).once("response", resolve));
  let sent = 0;
  const timer = setInterval(() => {
    if (stream.writable && stream.writableLength < 1_000_000) {
      stream.write(frame(Buffer.alloc(100_000)), () => {
        sent += 100_000;
      });
    }
  }, 1);
  onTestFinished(() => clearInterval(timer));
  let before: number;
  do {
    before = sent;
    await sleep(100);
  } while (sent === 0 || (sent > before && sent < 1_000_000));
  expect(sent).toBeLessThan(1_000_000);
  open();
  expect(await trailers).toMatchObject({ "grpc-status": "0" });
  await expect.poll(() => sent).toBeGreaterThan(before);
});

test("a reader that is behind is waited for", async () => {
  const steps: string[] = [];
  const { url } = await grpcServer(async (call) => {
    const behind = call.send(Buffer.alloc(1_000_000));
    steps.push(behind ? "behind" : "sent");
    await behind;
    steps.push("caught up");
    call.end(0);
  });
  const stream = session(url).request(head);
  stream.end(frame(Buffer.from("x")));
  await expect.poll(() => steps).toEqual(["behind"]);
  await answerOf(stream);
  expect(steps).toEqual(["behind", "caught up"]);
});

describe("unread responses", () => {
  const megabyte = Buffer.alloc(1_000_000);

  /** A connection whose client asks for so many answers at once and takes none of them yet. */
  async function unread(url: string, count: number): Promise<ClientHttp2Stream[]> {
    const client = connect(url, { maxSessionMemory: 1_000 });
    onTestFinished(() => client.destroy());
    client.on("error", () => {});
    const streams = Array.from({ length: count }, () => client.request(head));
    for (const stream of streams) stream.on("error", () => {}).end(frame(Buffer.from("x")));
    await Promise.all(streams.map((stream) => once(stream, "response")));
    return streams;
  }

  test("many large responses fit into one connection", async () => {
    const { url } = await grpcServer(async (call) => call.answer(megabyte));
    const streams = await unread(url, 60);
    // This one comes while all others are held.
    streams.push(...(await unread(url, 1)));
    const sizes = await Promise.all(streams.map(async (stream) => (await answerOf(stream)).body.length));
    expect(new Set(sizes)).toEqual(new Set([megabyte.length + 5]));
  });

  test("responses over the budget of their caller are refused, and the server continues", async () => {
    const refused: unknown[] = [];
    const { url } = await grpcServer(async (call) => {
      try {
        call.answer(megabyte);
      } catch (error) {
        refused.push(error);
        call.end(8, "no room");
      }
    });
    const streams = await unread(url, 120);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: "caller-budget" });
    await Promise.all(streams.map(answerOf));
    const { http } = await testGrpcClient().call(hello(url)).finished;
    expect(http.grpc?.messages[0]?.bytes).toHaveLength(megabyte.length);
  });

  test("a response is dropped when the client does not read it", async () => {
    const closed: unknown[] = [];
    const { url } = await grpcServer(
      async (call) => {
        call.raw.once("close", () => closed.push(call.raw.rstCode));
        call.answer(megabyte);
      },
      { stalledMs: 100 },
    );
    await unread(url, 1);
    await expect.poll(() => closed).toEqual([11]);
  });
});

test("draining finishes the calls under way, then the connection closes", async () => {
  const [begun, over] = [gate(), gate()];
  const { url, side } = await grpcServer(async (call) => {
    begun.open();
    await over.passed;
    await call.send(Buffer.from("done"));
    call.end(0);
  });
  const client = session(url);
  const stream = client.request(head);
  stream.end(frame(Buffer.from("x")));
  await begun.passed;
  side.drain();
  await expect.poll(() => client.closed).toBe(true);
  over.open();
  expect((await answerOf(stream)).body).toContain("done");
  await expect.poll(() => client.destroyed).toBe(true);
});

test("draining ends a stream that has nothing to end with as UNAVAILABLE, and tells its producer", async () => {
  let signal: AbortSignal | undefined;
  const { url, side } = await grpcServer(async (call) => {
    ({ signal } = call);
    await call.send(Buffer.from("one"));
    await once(call.signal, "abort");
  });
  const { finished } = testGrpcClient().call(hello(url));
  await expect.poll(() => signal).toBeDefined();
  side.drain();
  const { http } = await finished;
  expect(http.grpc?.messages.map(({ bytes }) => String(bytes))).toEqual(["one"]);
  expect(http.response?.trailers).toEqual([
    ["grpc-status", "14"],
    ["grpc-message", "the server is shutting down"],
  ]);
  expect(signal?.aborted).toBe(true);
});

test("retiring asks clients for new connections, and answers on them too", async () => {
  const { url, side } = await grpcServer(echo);
  const client = session(url);
  const stream = client.request(head);
  stream.end(frame(Buffer.from("x")));
  await answerOf(stream);
  side.retire();
  await expect.poll(() => client.closed).toBe(true);
  const again = session(url).request(head);
  again.end(frame(Buffer.from("y")));
  expect((await answerOf(again)).body).toContain("y");
});

test("an idle connection is closed, also when its first silence fell into a call", async () => {
  const { url } = await grpcServer(
    async (call) => {
      await sleep(900);
      call.end(0);
    },
    { requestTimeoutMs: 400 },
  );
  const client = session(url);
  const stream = client.request(head);
  const order: string[] = [];
  stream.once("response", () => order.push("answered"));
  client.once("close", () => order.push("closed"));
  stream.end(frame(Buffer.from("x")));
  await answerOf(stream);
  await expect.poll(() => order).toEqual(["answered", "closed"]);
});

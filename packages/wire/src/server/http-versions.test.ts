import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { EventStream, Handler, WireReply } from "./handler.ts";
import { gate, serve, sleep } from "./raw-client.fixture.ts";
import { ask, httpVersions } from "./version-client.fixture.ts";

/** Answers with what became of the body. */
const measure: Handler = async (request, reply) => {
  const read = await request.body().catch((error: { code: string }) => error.code);
  reply.send(200, {}, typeof read === "string" ? read : `${read.length}`);
};

function opener() {
  const streams: EventStream[] = [];
  const replies: WireReply[] = [];
  const handler: Handler = (_request, reply) => {
    streams.push(reply.events());
    replies.push(reply);
  };
  return { handler, streams, replies };
}

// What a client can rely on whichever version it speaks. What only one of them has is in the tests beside this one.
describe.each(httpVersions)("over %s", (version) => {
  test("a handler learns the same about a request", async () => {
    const seen: unknown[] = [];
    const server = await serve((request, reply) => {
      const { method, path, query, host, headers, rawHeaders, remoteAddress, secure } = request;
      const isRaw = rawHeaders.map((each) => each.toLowerCase()).indexOf("x-a") % 2 === 0;
      seen.push({
        method,
        path,
        query,
        host,
        accept: headers.accept,
        hostHeader: headers.host,
        remoteAddress,
        secure,
        isRaw,
      });
      expect(Object.keys(headers).filter((name) => name.startsWith(":"))).toEqual([]);
      expect(rawHeaders.filter((each) => each.startsWith(":"))).toEqual([]);
      reply.send(200, {}, "");
    });
    await ask(server, version, { path: "/a%20b?c=d", headers: { Accept: "text/plain", "X-A": "1" } }).whole();
    const host = `127.0.0.1:${server.port}`;
    expect(seen).toEqual([
      {
        method: "GET",
        path: "/a%20b",
        query: "c=d",
        host,
        hostHeader: host,
        accept: "text/plain",
        remoteAddress: "127.0.0.1",
        secure: false,
        isRaw: true,
      },
    ]);
  });

  test("an answer has a length in bytes and a date; HEAD has the same head and no body", async () => {
    const server = await serve((_request, reply) => reply.send(200, { "Content-Type": "text/plain" }, "grüße"));
    const { headers, text } = await ask(server, version).whole();
    expect(text).toBe("grüße");
    expect(headers).toMatchObject({ "content-type": "text/plain", "content-length": "7", date: expect.any(String) });
    const head = await ask(server, version, { method: "HEAD" }).whole();
    expect(head).toMatchObject({ status: 200, text: "", headers: { "content-length": "7" } });
  });

  test.each([204, 304])("%i has no body and no length", async (status) => {
    const server = await serve((_request, reply) => reply.send(status, {}, ""));
    const answer = await ask(server, version).whole();
    expect(answer).toMatchObject({ status, text: "" });
    expect(answer.headers).not.toHaveProperty("content-length");
  });

  test.each(["a\r\nSet-Cookie: b", "a\nb", "\u0000", "snow ☃"])("a header %j is refused as a whole", async (value) => {
    const errors: unknown[] = [];
    const server = await serve((_request, reply) => reply.send(200, { "X-Good": "1", "X-Bad": value }, "body"), {
      onInternalError: (error) => errors.push(error),
    });
    const { status, headers } = await ask(server, version).whole();
    expect(status).toBe(500);
    expect(headers).not.toHaveProperty("x-good");
    expect(errors).toMatchObject([{ code: "invalid-header" }]);
  });

  test("a body arrives whole, in however many pieces", async () => {
    const server = await serve(measure);
    const asked = ask(server, version, { method: "POST" });
    for (let piece = 0; piece < 5; piece++) asked.body.write(Buffer.alloc(50_000));
    asked.body.end();
    expect((await asked.whole()).text).toBe("250000");
    expect((await ask(server, version, { method: "POST", body: "" }).whole()).text).toBe("0");
    expect((await ask(server, version).whole()).text).toBe("0");
  });

  test("a body that is too large is rejected, with or without Content-Length", async () => {
    const server = await serve(async (request, reply) => reply.send(200, {}, `${(await request.body()).length}`), {
      limits: { bodyBytes: 100_000, discardBytes: 50_000 },
    });
    const length = { "Content-Length": "3000000" };
    const announced = ask(server, version, { method: "POST", headers: length });
    announced.body.write(Buffer.alloc(1_000));
    expect((await announced.whole()).status).toBe(413);
    const grown = ask(server, version, { method: "POST" });
    grown.body.write(Buffer.alloc(200_000));
    expect((await grown.whole()).status).toBe(413);
  });

  test("a body that no handler asks for does no harm", async () => {
    const server = await serve((_request, reply) => reply.send(404, {}, "no"), { limits: { lingerMs: 50 } });
    expect((await ask(server, version, { method: "POST", body: "{}" }).whole()).status).toBe(404);
    const large = ask(server, version, { method: "POST", headers: { "Content-Length": "5000000" } });
    large.body.write(Buffer.alloc(1_000_000));
    expect((await large.whole()).status).toBe(404);
    await expect.poll(() => large.body.destroyed).toBe(true);
  });

  test("a body that does not come in time is a timeout", async () => {
    const server = await serve(async (request, reply) => reply.send(200, {}, await request.body()), {
      // Long enough for the head of the request, also on a busy machine.
      limits: { requestTimeoutMs: 1_000 },
    });
    const asked = ask(server, version, { method: "POST", headers: { "Content-Length": "10" } });
    asked.body.write("half");
    expect((await asked.whole()).status).toBe(408);
  });

  test("a client that leaves in the middle of its body", async () => {
    const failed: unknown[] = [];
    const arrived = gate();
    const server = await serve(async (request) => {
      const reading = request.body();
      arrived.open();
      await reading.catch((error: unknown) => failed.push(error));
    });
    const asked = ask(server, version, { method: "POST" });
    asked.body.write("half");
    await arrived.opened;
    asked.leave();
    await expect.poll(() => failed).toMatchObject([{ code: "disconnected" }]);
  });

  test("100 Continue is sent when the body is asked for, and other expectations are refused", async () => {
    const server = await serve(measure);
    const asked = ask(server, version, { method: "POST", headers: { Expect: "100-continue" } });
    await asked.invited;
    asked.body.end("abc");
    expect((await asked.whole()).text).toBe("3");
    const odd = ask(server, version, { method: "POST", headers: { Expect: "a miracle" }, body: "" });
    expect((await odd.whole()).status).toBe(417);
  });

  test("headers that are too large are refused", async () => {
    const server = await serve(measure);
    for (let times = 0; times < 2; times++) {
      const { status } = await ask(server, version, { headers: { "X-Big": "x".repeat(20_000) } }).whole();
      expect(status).toBe(431);
    }
  });

  test("a handler that throws is 500 without details; half-way through a stream it cuts the answer", async () => {
    const errors: unknown[] = [];
    const server = await serve(
      async (request, reply) => {
        if (request.path === "/stream") await reply.events().send("1");
        throw new Error("secret");
      },
      { onInternalError: (error) => errors.push(error) },
    );
    const { status, text } = await ask(server, version).whole();
    expect([status, text.includes("secret")]).toEqual([500, false]);
    await expect(ask(server, version, { path: "/stream" }).whole()).rejects.toThrow();
    expect(errors).toHaveLength(2);
  });

  test("a client that leaves aborts the signal of its request", async () => {
    const reasons: unknown[] = [];
    const arrived = gate();
    const server = await serve(async (request) => {
      request.signal.addEventListener("abort", () => reasons.push(request.signal.reason));
      arrived.open();
    });
    const asked = ask(server, version, { method: "POST", body: "{}" });
    await arrived.opened;
    expect(reasons).toEqual([]);
    asked.leave();
    await expect.poll(() => reasons).toMatchObject([{ code: "disconnected" }]);
  });

  test("the head of a stream goes out at once, each event as it comes, silence is broken by comments", async () => {
    const { handler, streams } = opener();
    const asked = ask(await serve(handler, { limits: { silenceMs: 40 } }), version);
    const { headers, answer } = await asked.head;
    expect(headers).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" });
    let text = "";
    answer.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    void streams[0]!.send('{"n":1}');
    await expect.poll(() => text).toContain('data: {"n":1}\n\n');
    await expect.poll(() => text).toContain(": keep-alive\n\n");
    streams[0]!.end();
    await once(answer, "end");
    expect(streams[0]).toMatchObject({ closed: true, signal: { aborted: false } });
  });

  test("a client that leaves its stream aborts the signal and closes it", async () => {
    const { handler, streams } = opener();
    const asked = ask(await serve(handler), version);
    await asked.head;
    asked.leave();
    await expect.poll(() => streams[0]).toMatchObject({ closed: true, signal: { reason: { code: "disconnected" } } });
  });

  test("a client that never reads its stream is disconnected, and memory stays bounded", async () => {
    let most = 0;
    let stream: EventStream | undefined;
    const server = await serve(
      async (_request, reply) => {
        stream = reply.events();
        const data = JSON.stringify("x".repeat(1000));
        while (!stream.closed) {
          await stream.send(data);
          most = Math.max(most, reply.raw.writableLength);
        }
      },
      { limits: { stalledMs: 150 } },
    );
    (await ask(server, version).head).answer.pause();
    await expect.poll(() => stream?.closed).toBe(true);
    expect(stream?.signal.reason).toMatchObject({ code: "stalled" });
    expect(most).toBeLessThan(64 * 1024);
  });

  test("a slow reader gets every event, and the server resumes writing when it has caught up", async () => {
    const server = await serve(async (_request, reply) => {
      const stream = reply.events();
      for (let n = 0; n < 200; n++) await stream.send(JSON.stringify({ n, pad: "x".repeat(20_000) }));
      stream.end();
    });
    const asked = ask(server, version);
    const { answer } = await asked.head;
    answer.pause();
    await sleep(50);
    expect((await asked.whole()).text.match(/"n":\d+/g)).toHaveLength(200);
  });

  test("an unread response is given up", async () => {
    const closed = gate();
    const server = await serve(
      (_request, reply) => {
        reply.raw.once("close", closed.open);
        reply.send(200, {}, "x".repeat(20_000_000));
      },
      { limits: { stalledMs: 100 } },
    );
    (await ask(server, version).head).answer.pause();
    await closed.opened;
  });

  test("a stream too many is refused, and room made is used", async () => {
    const { handler, streams } = opener();
    const server = await serve(handler, { limits: { streams: 1 } });
    const first = ask(server, version);
    await first.head;
    expect((await ask(server, version).whole()).status).toBe(503);
    first.leave();
    await expect.poll(() => streams[0]?.closed).toBe(true);
    expect((await ask(server, version).head).status).toBe(200);
  });

  test("closing lets answers in the making finish and ends streams", async () => {
    const [slow, arrived] = [gate(), gate()];
    const { handler, streams } = opener();
    const server = await serve(async (request, reply) => {
      if (request.path === "/stream") return handler(request, reply);
      arrived.open();
      await slow.opened;
      reply.send(200, {}, "x".repeat(1_000_000));
    });
    const stream = ask(server, version, { path: "/stream" });
    await stream.head;
    const busy = ask(server, version);
    await arrived.opened;
    const closed = server.close(10_000);
    expect((await stream.whole()).text).toBe("");
    expect(streams[0]?.signal.reason).toMatchObject({ code: "shutting-down" });
    slow.open();
    expect((await busy.whole()).text).toHaveLength(1_000_000);
    await closed;
    await expect(ask(server, version).head).rejects.toThrow();
  });

  test("after the grace everything is destroyed", async () => {
    const arrived = gate();
    const server = await serve(() => arrived.open());
    const asked = ask(server, version);
    await arrived.opened;
    await server.close(50);
    await expect(asked.head).rejects.toThrow();
    expect(server.connections).toBe(0);
  });
});

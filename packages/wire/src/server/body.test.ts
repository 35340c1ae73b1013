import { expect, test, vi } from "vitest";
import type { Handler } from "./handler.ts";
import { answer, dial, get, post, serve } from "./raw-client.fixture.ts";
import { statusError } from "./status-error.fixture.ts";
import { WireError } from "./wire-error.ts";

const echo: Handler = async (request, reply) => {
  const body = await request.body();
  reply.send(200, { "Content-Type": "application/json" }, JSON.stringify({ length: body.length, text: `${body}` }));
};

/** Reads the body and reports the code of its failure, as an agent would in its own words. */
const complaining =
  (seen: string[]): Handler =>
  async (request, reply) => {
    const problem = await request.body().catch((error: WireError) => error);
    if (!(problem instanceof WireError)) return;
    seen.push(problem.code);
    reply.send(problem.status, {}, JSON.stringify(problem.code));
  };

test("a body split over packets and chunks arrives whole", async () => {
  const client = dial(await serve(echo));
  client.socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  await new Promise((resolve) => setImmediate(resolve));
  client.socket.write("2\r\nde\r\n0\r\n\r\n");
  expect(answer(await client.until("}"))).toEqual({ status: 200, body: { length: 5, text: "abcde" } });
});

test("no body is an empty body, and asking twice gives the same", async () => {
  const server = await serve(async (request, reply) => {
    const [one, two] = await Promise.all([request.body(), request.body()]);
    reply.send(200, {}, JSON.stringify([one.length, one === two]));
  });
  expect(answer(await dial(server, get("/")).until("]")).body).toEqual([0, true]);
  expect(answer(await dial(server, post("/", "abc")).until("]")).body).toEqual([3, true]);
});

test.each([18_000_000, 30_000_000])(
  "a body too large by up to %i bytes: a client that writes all of it before reading gets the answer",
  async (discardBytes) => {
    const seen: string[] = [];
    const server = await serve(complaining(seen), { limits: { bodyBytes: 1000, discardBytes, lingerMs: 120_000 } });
    const client = dial(server);
    client.socket.pause();
    await new Promise((resolve) => client.socket.write(post("/", "x".repeat(18_000_001)), resolve));
    client.socket.resume();
    const heard = await client.ended;
    expect(heard).toContain("Connection: close");
    expect(answer(heard)).toEqual({ status: 413, body: "body-too-large" });
    expect(seen).toEqual(["body-too-large"]);
  },
);

test("a chunked body that grows too large is refused as soon as it does", async () => {
  const server = await serve(complaining([]), { limits: { bodyBytes: 1000, lingerMs: 50 } });
  const client = dial(server, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.socket.write(`7d0\r\n${"x".repeat(2000)}\r\n`);
  expect(answer(await client.ended)).toEqual({ status: 413, body: "body-too-large" });
});

test("what is discarded of a refused body is bounded", async () => {
  const server = await serve(complaining([]), { limits: { bodyBytes: 10, discardBytes: 1000, lingerMs: 10_000 } });
  const client = dial(server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n");
  await client.until("body-too-large");
  client.socket.write("x".repeat(5000));
  await client.ended;
});

test("a large body the handler never asked for closes the connection after the answer", async () => {
  const server = await serve((_request, reply) => reply.send(404, {}, "{}"), {
    limits: { discardBytes: 10, lingerMs: 50 },
  });
  expect(await dial(server, post("/", "x".repeat(100))).ended).toContain("Connection: close");
});

test("a small unread body is skipped, and the connection goes on", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, JSON.stringify(request.path)));
  const client = dial(server, post("/first", "unread"));
  await client.until('"/first"');
  client.socket.write(get("/second"));
  await client.until('"/second"');
});

test("a body that trickles beyond the request timeout fails, and the answer closes the connection", async () => {
  const within = async (requestTimeoutMs: number) => {
    const server = await serve(complaining([]), { limits: { requestTimeoutMs } });
    return dial(server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc").ended;
  };
  // On a busy machine the time may be over before the server has read the head.
  let heard = await within(120);
  for (let ms = 480; !heard.includes("body-timeout") && ms < 100_000; ms *= 4) heard = await within(ms);
  expect(heard).toContain("Connection: close");
  expect(answer(heard)).toEqual({ status: 408, body: "body-timeout" });
});

test("a handler that lets the failure through still answers with its status", async () => {
  const onInternalError = vi.fn();
  const server = await serve(echo, { limits: { bodyBytes: 3 }, onInternalError });
  expect(answer(await dial(server, post("/", "abcd")).ended)).toEqual({
    status: 413,
    body: statusError(413, "the body exceeds 3 bytes, the limit of this server"),
  });
  expect(onInternalError).not.toHaveBeenCalled();
});

test("a client that leaves in the middle of its body", async () => {
  const seen: string[] = [];
  const server = await serve(complaining(seen));
  const client = dial(server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
  await expect.poll(() => server.connections).toBe(1);
  client.socket.resetAndDestroy();
  await expect.poll(() => seen).toEqual(["disconnected"]);
});

test("a broken chunk is the body's failure, not a second answer", async () => {
  const server = await serve(complaining([]));
  const client = dial(server, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  const heard = await client.ended;
  expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(answer(heard)).toEqual({ status: 400, body: "body-malformed" });
});

test("100 Continue is sent when the body is asked for", async () => {
  const client = dial(
    await serve(echo),
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
  );
  await client.until("HTTP/1.1 100 Continue");
  client.socket.write("hi");
  expect(answer(await client.until("}")).body).toEqual({ length: 2, text: "hi" });
});

test("a body announced too large is not invited", async () => {
  const server = await serve(complaining([]), { limits: { bodyBytes: 10 } });
  const client = dial(server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n");
  const heard = await client.ended;
  expect(heard).not.toContain("100 Continue");
  expect(answer(heard).status).toBe(413);
});

import { expect, test } from "vitest";
import { answer, dial, gate, get, serve, sleep } from "./raw-client.fixture.ts";
import { statusError } from "./status-error.fixture.ts";

const ok = (path: string) => JSON.stringify(path);

test("what is no HTTP is answered in JSON, and the connection closed", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, ok(request.path)));
  const heard = await dial(server, "\x16\x03\x01 hello\r\n\r\n").ended;
  expect(heard).toContain("Content-Type: application/json\r\n");
  expect(heard).toContain("Connection: close\r\n");
  expect(answer(heard)).toEqual({
    status: 400,
    body: statusError(400, "This is not well-formed HTTP/1.1."),
  });
});

test("both Content-Length and Transfer-Encoding, the start of request smuggling, is malformed", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, ok(request.path)));
  const smuggled = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  expect(answer(await dial(server, smuggled).ended).status).toBe(400);
});

test("headers beyond the limit: 431, also for a client that reads only after writing all of them", async () => {
  const server = await serve((request, reply) => reply.send(200, {}, ok(request.path)), {
    limits: { headerBytes: 2000 },
  });
  const client = dial(server, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ");
  client.socket.pause();
  for (let n = 0; n < 4; n++) {
    client.socket.write("y".repeat(3000));
    await sleep(20);
  }
  // Not closed under its feet: not every system keeps what was received before a reset.
  expect(server.connections).toBe(1);
  client.socket.resume();
  expect(answer(await client.ended)).toEqual({
    status: 431,
    body: statusError(431, "The request headers are too large."),
  });
});

test.each(["", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])("slow loris: 408 after %j and nothing more", async (start) => {
  const server = await serve(() => {}, { limits: { headersTimeoutMs: 120 } });
  expect(answer(await dial(server, start).ended)).toMatchObject({
    status: 408,
    body: { error: { code: 408, status: "DEADLINE_EXCEEDED" } },
  });
});

test("a broken request behind a good one is refused once, after the good one's answer", async () => {
  const good = gate();
  const server = await serve(async (request, reply) => {
    await good.opened;
    reply.send(200, {}, ok(request.path));
  });
  const client = dial(server, `${get("/good")}garbage\r\n\r\n`);
  await sleep(30);
  client.socket.write("more garbage\r\n\r\n");
  await sleep(30);
  good.open();
  const heard = await client.ended;
  expect(heard.match(/HTTP\/1\.1 \d+|"\/\w+"/g)).toEqual(["HTTP/1.1 200", '"/good"', "HTTP/1.1 400"]);
});

test("a request that ends in its head gets an error if its client still reads", async () => {
  const client = dial(await serve(() => {}));
  client.socket.end("GET / HTTP/1.1\r\nHost:");
  expect(answer(await client.ended)).toMatchObject({
    status: 400,
    body: { error: { message: "The request ended before it was complete." } },
  });
});

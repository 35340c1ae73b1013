import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { Recording } from "../recording/recording.ts";
import { makeCertificates } from "./certificates.fixture.ts";
import { httpPeer, listen, rawPeer, text } from "./peers.fixture.ts";
import { createRawClient, type RawClientOptions } from "./raw.ts";
import type { RawStep } from "./raw-steps.ts";

const guard = createEgressGuard({ allowLoopback: true });
const rude = (options: Partial<RawClientOptions> = {}) => createRawClient({ guard, ...options });
const send = (said: string): RawStep => ({ is: "send", bytes: Buffer.from(said, "latin1") });
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test("the peer hears exactly the bytes, and we keep exactly its answer", async () => {
  const peer = await rawPeer((socket) => socket.write(ok));
  const recording = new Recording();
  const said = "POST /x HTTP/9.9\r\nBad Header\r\nContent-Length: -1\r\n\r\n\x00\xff";
  const exchange = await rude({ recording }).send({ url: peer.url, steps: [send(said)] });

  expect(peer.heard().toString("latin1")).toBe(said);
  expect(exchange).toMatchObject({
    transport: { sent: Buffer.from(said, "latin1"), received: Buffer.from(ok) },
    http: {
      request: {
        method: "POST",
        headers: [
          ["Bad Header", ""],
          ["Content-Length", "-1"],
        ],
        body: Buffer.from([0, 255]),
      },
      response: { status: 200, statusText: "OK", headers: [["Content-Length", "2"]], body: Buffer.from("ok") },
    },
  });
  expect(exchange.failure).toBeUndefined();
  expect(recording.exchanges).toEqual([exchange]);
});

test("an answer on a connection kept open is not waited out", async () => {
  const url = await httpPeer((_request, response) => {
    response.write("in ");
    response.end("chunks");
  });
  const exchange = await rude().send({ url, steps: [send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")] });
  expect(text(exchange.http.response?.body)).toBe("in chunks");
  // Waited out, it would have ended with the idle limit.
  expect(exchange.failure).toBeUndefined();
});

test("bytes can be sent in pieces, with pauses, and one by one", async () => {
  const url = await httpPeer((request, response) => request.pipe(response));
  const { http, timing } = await rude().send({
    url,
    steps: [
      send("POST / HTTP/1.1\r\nHost: x\r\nConten"),
      { is: "pause", ms: 30 },
      send("t-Length: 4\r\n\r\n"),
      { is: "drip", bytes: Buffer.from("slow"), everyMs: 10 },
    ],
  });
  expect(text(http.response?.body)).toBe("slow");
  expect(timing.requestSent).toBeGreaterThan(50);
});

test("after a half-close we still listen", async () => {
  const url = await httpPeer((_request, response) => response.writeHead(200, { Connection: "close" }).end("bye"));
  const { http, failure } = await rude().send({
    url,
    steps: [send("GET / HTTP/1.0\r\n\r\n"), { is: "half-close" }],
  });
  expect(failure).toBeUndefined();
  expect(text(http.response?.body)).toBe("bye");
});

test("a connection can be torn down in the middle of a body", async () => {
  const peer = await rawPeer(() => {});
  const half = "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf";
  const { failure, transport } = await rude().send({ url: peer.url, steps: [send(half), { is: "reset" }] });
  expect(failure?.code).toBe("aborted");
  expect(text(transport.sent)).toBe(half);
});

test.each([
  ["never answers", "timeout-idle", () => ""],
  ["answers garbage and stays", "timeout-idle", () => "\x00\x01\x02"],
  ["promises more than it says", "timeout-idle", () => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"],
  ["says more than we want", "too-large", () => "x".repeat(5_000)],
])("a peer that %s is left in the end: %s", async (_what, code, say) => {
  const peer = await rawPeer((socket) => socket.write(say()));
  // Long enough for a busy machine to read all that the peer says.
  const client = rude({ timeouts: { idle: 1_500 }, maxBytes: 1_000 });
  const { failure, transport } = await client.send({ url: peer.url, steps: [send("GET / HTTP/1.1\r\n\r\n")] });
  expect(failure?.code).toBe(code);
  expect(text(transport.received)).toBe(say());
});

test("a peer that dribbles for ever is left when the time is up", async () => {
  const peer = await rawPeer((socket) => {
    const drop = setInterval(() => socket.write("x"), 5);
    socket.on("close", () => clearInterval(drop));
  });
  const { failure } = await rude({ timeouts: { total: 100 } }).send({ url: peer.url, steps: [send("GET")] });
  expect(failure?.code).toBe("timeout-total");
});

test("an interim 100 is read past", async () => {
  const peer = await rawPeer((socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok}`));
  const { http } = await rude().send({
    url: peer.url,
    steps: [send("GET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n")],
  });
  expect(http.response?.status).toBe(200);
});

/** Resets a connection after some turns of the event loop, in which the other side reads: a reset drops what is unread. */
async function resetWhenRead(socket: Socket): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  socket.resetAndDestroy();
}

test("a peer that answers in full and then tears the line down has answered", async () => {
  const peer = await rawPeer((socket) => socket.write(ok, () => void resetWhenRead(socket)));
  const { http, failure } = await rude().send({ url: peer.url, steps: [send("GET / HTTP/1.1\r\n\r\n")] });
  expect(failure).toBeUndefined();
  expect(http.response?.status).toBe(200);
});

test("a refused host, a closed port and the caller's signal end it without an exception", async () => {
  const peer = await rawPeer(() => {});
  const steps = [send("GET")];
  const refused = await createRawClient({ guard: createEgressGuard() }).send({ url: peer.url, steps });
  const nobody = await rude().send({ url: "http://127.0.0.1:1/", steps });
  const aborted = await rude().send({ url: peer.url, steps }, AbortSignal.timeout(30));
  expect([refused, nobody, aborted].map(({ failure }) => failure?.code)).toEqual([
    "refused-by-guard",
    "connect-refused",
    "aborted",
  ]);
});

test("rudeness works under TLS as well", async () => {
  const { ca, server } = makeCertificates();
  const port = await listen(createTlsServer(server, (socket) => socket.once("data", () => socket.end(ok))));
  const { http } = await rude({ tls: { ca } }).send({ url: `https://127.0.0.1:${port}/`, steps: [send("\r\n\r\n")] });
  expect(http.response?.status).toBe(200);
});

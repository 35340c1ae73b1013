import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEgressGuard, createRawClient, type RawStep } from "@assay/wire";
import { describe, expect, test } from "vitest";
import {
  ask,
  type Bed,
  type Binding,
  bindings,
  collect,
  type ErrorName,
  expectNormalService,
  follow,
  open,
  plain,
  refusalIn,
  refusedAs,
  sending,
  serverSentData,
  taskFrom,
  until,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

// Clients that violate the rules of HTTP and TCP. Small limits make that quick. Timeouts have a separate test bed, so that
// correct clients stay within the limits on a busy machine.
const bed = useTestbed({ limits: { stalledMs: 300, lingerMs: 200, connections: 60 } });
const hasty = useTestbed({ limits: { headersTimeoutMs: 1_500, requestTimeoutMs: 2_000 } });
const raw = createRawClient({ guard: createEgressGuard({ allowLoopback: true }), timeouts: { total: 60_000 } });
const bytes = (text: string) => Buffer.from(text, "latin1");
const say = (text: string): RawStep => ({ is: "send", bytes: bytes(text) });

interface Heard {
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly failure: string | undefined;
}

const talk = (...steps: RawStep[]) => talkTo(bed, ...steps);

async function talkTo({ url }: Bed, ...steps: RawStep[]): Promise<Heard> {
  const { http, failure } = await raw.send({ url, steps });
  return {
    status: http.response?.status,
    headers: Object.fromEntries((http.response?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value])),
    text: Buffer.from(http.response?.body ?? []).toString(),
    failure: failure?.code,
  };
}

const pathOf = (binding: Binding) => (binding === "JSONRPC" ? "/echo" : "/echo/message:send");
const bodyOf = (binding: Binding) =>
  binding === "JSONRPC"
    ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: sending("hi") })
    : JSON.stringify(sending("hi"));
const head = (binding: Binding, ...more: string[]) =>
  [
    `POST ${pathOf(binding)} HTTP/1.1`,
    "Host: localhost",
    "A2A-Version: 1.0",
    "Content-Type: application/json",
    ...more,
    "",
    "",
  ].join("\r\n");

/** Expects the error before the protocol is known: google.rpc.Status, and the connection closes. */
function expectTransportRefusal(heard: Heard, status: number, name: string) {
  expect([heard.status, heard.headers["content-type"], heard.headers["connection"]]).toEqual([
    status,
    "application/json",
    "close",
  ]);
  expect(JSON.parse(heard.text)).toMatchObject({
    error: { code: status, status: name, message: expect.stringMatching(/\S/) },
  });
  expect(heard.text).not.toMatch(/HPE_|node:|\bat /);
}

const expectRefused = (binding: Binding, heard: Heard, error: ErrorName) => {
  const answer = { status: heard.status!, headers: heard.headers, text: heard.text };
  expect(refusalIn(binding, answer)).toEqual(refusedAs(binding, error, null));
};

// Concurrent, because each test waits for a limit.
describe.concurrent.each(bindings)("slow clients over %s", (binding) => {
  test("slow loris: headers that arrive byte by byte end in a timeout", async () => {
    const heard = await talkTo(hasty, { is: "drip", bytes: bytes(head(binding, "X-Slow: yes")), everyMs: 60 });
    // Without the timeout, the request would complete and get a response.
    expectTransportRefusal(heard, 408, "DEADLINE_EXCEEDED");
    await expectNormalService(hasty);
  });

  test("slow loris: headers that stop half-way end in a timeout", async () => {
    expectTransportRefusal(await talkTo(hasty, say(head(binding).slice(0, 40))), 408, "DEADLINE_EXCEEDED");
    await expectNormalService(hasty);
  });

  test("slow loris: a body that arrives byte by byte ends in a timeout, with a protocol error", async () => {
    const body = bytes(bodyOf(binding));
    const heard = await talkTo(hasty, say(head(binding, `Content-Length: ${body.length}`)), {
      is: "drip",
      bytes: body,
      everyMs: 60,
    });
    expectRefused(binding, heard, "RequestTimeout");
    await expectNormalService(hasty);
  });

  test("slow loris: a body that never comes is cut off in time", async () => {
    expectRefused(binding, await talkTo(hasty, say(head(binding, "Content-Length: 100"))), "RequestTimeout");
    expectRefused(binding, await talkTo(hasty, say(head(binding, "Transfer-Encoding: chunked"))), "RequestTimeout");
    await expectNormalService(hasty);
  });

  test("twenty slow clients at once do not delay others", async () => {
    const slow = Array.from({ length: 20 }, () => talkTo(hasty, say(head(binding, "Content-Length: 100"))));
    await expectNormalService(hasty);
    for (const heard of await Promise.all(slow)) expectRefused(binding, heard, "RequestTimeout");
    await expectNormalService(hasty);
  });
});

test("a silent connection is closed", async () => {
  const socket = connect(hasty.port, "127.0.0.1");
  socket.resume();
  await once(socket, "close");
  await expectNormalService(hasty);
});

describe.each(bindings)("over %s", (binding) => {
  test("a client that closes its side before the end of its body gets an error", async () => {
    const heard = await talk(say(`${head(binding, "Content-Length: 500")}{"jsonrpc"`), { is: "half-close" });
    expectRefused(binding, heard, "Parse");
    await expectNormalService(bed);
  });

  test("a client that crashes in the middle of its body causes no internal error", async () => {
    await talk(say(`${head(binding, "Content-Length: 500")}{"jsonrpc"`), { is: "pause", ms: 20 }, { is: "reset" });
    await expectNormalService(bed);
  });

  test("broken chunks are a parse error", async () => {
    const broken = `${head(binding, "Transfer-Encoding: chunked")}zz\r\nnot a chunk\r\n`;
    expectRefused(binding, await talk(say(broken)), "Parse");
    await expectNormalService(bed);
  });

  test("a complete chunked body is accepted", async () => {
    const body = bodyOf(binding);
    const chunks = [body.slice(0, 7), body.slice(7)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const heard = await talk(say(`${head(binding, "Transfer-Encoding: chunked")}${chunks.join("")}0\r\n\r\n`));
    expect([heard.status, heard.text.includes("Echo: hi")]).toEqual([200, true]);
  });

  test("Expect: 100-continue gets 100, or 413 at once if the body is too large", async () => {
    const body = bodyOf(binding);
    const socket = connect(bed.port, "127.0.0.1");
    socket.write(head(binding, `Content-Length: ${body.length}`, "Expect: 100-continue"));
    expect(String((await once(socket, "data"))[0])).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(body);
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Echo: hi/);
    socket.destroy();
    const refused = await talk(say(head(binding, "Content-Length: 52428800", "Expect: 100-continue")));
    expectRefused(binding, refused, "PayloadTooLarge");
    const odd = await talk(say(head(binding, "Content-Length: 2", "Expect: the-unexpected")));
    expect([odd.status, JSON.parse(odd.text).error.status]).toEqual([417, "FAILED_PRECONDITION"]);
    await expectNormalService(bed);
  });

  test("pipelined requests are answered in order", async () => {
    const socket = connect(bed.port, "127.0.0.1");
    const body = bodyOf(binding);
    const one = `${head(binding, `Content-Length: ${body.length}`)}${body}`;
    socket.write(one.repeat(5));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await until(
      async () => text,
      () => text.split("Echo: hi").length === 6,
    );
    expect(text.split("HTTP/1.1 200 OK").length).toBe(6);
    socket.destroy();
  });

  test("the stream of a client that disconnects is removed, and its task keeps running", async () => {
    const before = await connections();
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) {
      const sent = written(`${bed.url}/spec`, binding, "SendStreamingMessage", sending("streaming x"));
      const response = await open(sent.url, { ...sent.plain, fresh: true });
      for await (const data of serverSentData(response)) {
        const json = JSON.parse(data);
        ids.push((json.result ?? json).task.id);
        break;
      }
      response.destroy();
    }
    await until(connections, (count) => count <= before + 1);
    for (const id of ids) {
      const task = await until(
        () => ask(`${bed.url}/spec`, binding, "GetTask", { id }),
        ({ status }) => status.state === "TASK_STATE_COMPLETED",
      );
      expect(task.artifacts?.[0]?.parts.length).toBe(4);
    }
    await expectNormalService(bed);
  });

  test("a client that never reads its stream is disconnected, and memory stays bounded", async () => {
    await expectNormalService(bed);
    const [before, begun] = [await connections(), await streamsBegun()];
    const memory = process.memoryUsage().rss;
    const sent = written(`${bed.url}/spec`, binding, "SendStreamingMessage", sending("chunks 1000 30000"));
    const sockets = Array.from({ length: 4 }, () => connect(bed.port, "127.0.0.1"));
    const { pathname } = new URL(sent.url);
    const headers = Object.entries(sent.plain.headers as Record<string, string>).map(([k, v]) => `${k}: ${v}`);
    const body = String(sent.plain.body);
    for (const socket of sockets) {
      socket.pause();
      socket.on("error", () => {});
      const lines = [`POST ${pathname} HTTP/1.1`, "Host: localhost", ...headers, `Content-Length: ${body.length}`];
      socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
    }
    await expectNormalService(bed);
    // The gauge may never show all: the first may be cut off before the last connects.
    await until(streamsBegun, (count) => count >= begun + sockets.length);
    await until(connections, (count) => count <= before);
    // Only a reading client sees that it was cut off: first the buffered data, then the end.
    const cut = await Promise.all(
      sockets.map(async (socket) => {
        let size = 0;
        socket.on("data", (chunk) => {
          size += chunk.length;
        });
        socket.resume();
        await once(socket, "close");
        return size;
      }),
    );
    for (const size of cut) expect(size).toBeLessThan(30_000_000);
    expect(process.memoryUsage().rss - memory).toBeLessThan(400 * 1024 * 1024);
    await expectNormalService(bed);
  });

  test("a subscription to a task in AUTH_REQUIRED ends when the client disconnects", async () => {
    const { id } = await taskFrom(`${bed.url}/spec`, binding, "auth-required x");
    const before = await connections();
    const leaving = new AbortController();
    const watching = follow(`${bed.url}/spec`, binding, "SubscribeToTask", { id }, { signal: leaving.signal });
    await watching.next();
    leaving.abort();
    await collect(watching).catch(() => {});
    await until(connections, (now) => now <= before);
    await ask(`${bed.url}/spec`, binding, "CancelTask", { id });
  });
});

const gauge = async (name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await plain(`${bed.url}/metrics`)).text)?.[1]);
const connections = () => gauge("assay_connections");
/** Counts the streams that were opened so far. */
const streamsBegun = async () => {
  const { text } = await plain(`${bed.url}/metrics`);
  const counts = text.matchAll(/^assay_requests_total\{[^}]*operation="SendStreamingMessage"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe("invalid HTTP and too many connections", () => {
  test.each<[string, string]>([
    ["noise", "\x00\x01\x02\x03\r\n\r\n"],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a wrong version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["a verb nobody knows", "BREW /spec HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a line feed inside a header value", "GET /spec HTTP/1.1\r\nHost: localhost\r\nX: a\nInjected 1\r\n\r\n"],
    ["a NUL inside a header value", "GET /spec HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n"],
    [
      "a control character in A2A-Version",
      "GET /spec/tasks HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\x01\r\n\r\n",
    ],
    ["a blank in a header name", "GET /spec HTTP/1.1\r\nHost: localhost\r\nBad Name: 1\r\n\r\n"],
    ["a header without a name", "GET /spec HTTP/1.1\r\nHost: localhost\r\n: 1\r\n\r\n"],
    ["a negative length", "POST /spec HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"],
    ["two lengths", "POST /spec HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "a length and chunks (request smuggling)",
      "POST /spec HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "an unknown transfer coding",
      "POST /spec HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, wobble\r\n\r\n0\r\n\r\n",
    ],
    ["no Host", "GET /spec HTTP/1.1\r\n\r\n"],
  ])("%s", async (_name, text) => {
    const heard = await talk(say(text), { is: "half-close" });
    expect([heard.status, JSON.parse(heard.text).error]).toMatchObject([
      400,
      {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: expect.stringMatching(/\S/),
        details: [{ reason: "INVALID_REQUEST" }],
      },
    ]);
    await expectNormalService(bed);
  });

  test("an absolute target with a foreign host is rejected, whatever the Host header says", async () => {
    const heard = await talk(say("GET http://evil.example/spec HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expectRefused("HTTP+JSON", heard, "MisdirectedRequest");
  });

  test("an absolute target with the own host is served", async () => {
    const heard = await talk(say("GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expect([heard.status, heard.text]).toEqual([200, '{"status":"ok"}']);
  });

  test("HTTP/0.9 has no host, so it is rejected", async () => {
    expectRefused("HTTP+JSON", await talk(say("GET /\r\n\r\n"), { is: "half-close" }), "MisdirectedRequest");
  });

  test("OPTIONS * is answered", async () => {
    const { status } = await talk(say("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expect(status).toBe(204);
  });

  test("CONNECT is rejected", async () => {
    const heard = await talk(say("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n"));
    expect([heard.status, JSON.parse(heard.text).error]).toMatchObject([
      405,
      { code: 405, status: "UNIMPLEMENTED", message: "This server is not a proxy." },
    ]);
    await expectNormalService(bed);
  });

  test("connections over the limit get 503, and are accepted when others close", async () => {
    const crowd = Array.from({ length: 70 }, () => connect(bed.port, "127.0.0.1"));
    for (const socket of crowd) socket.on("error", () => {});
    const answers: string[] = [];
    for (const socket of crowd) socket.on("data", (chunk) => answers.push(String(chunk)));
    await until(
      async () => answers,
      ({ length }) => length >= 10,
    );
    expect(answers.every((text) => /^HTTP\/1\.1 (503|408) /.test(text))).toBe(true);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 503 [\s\S]*"status":"UNAVAILABLE"/);
    for (const socket of crowd) socket.destroy();
    await until(
      () => plain(`${bed.url}/health`, { fresh: true }).catch(() => ({ status: 0 })),
      ({ status }) => status === 200,
    );
    await expectNormalService(bed);
  });
});

/** A test bed with the default limits. */
const patient = useTestbed({});

test.each(bindings)("a slow reader gets the whole stream over %s", async (binding) => {
  const events = follow(`${patient.url}/spec`, binding, "SendStreamingMessage", sending("chunks 400 20000"));
  let count = 0;
  for await (const _event of events) if (++count % 100 === 0) await sleep(20);
  expect(count).toBe(403);
});

// A kept connection would stay open for 10 s or a minute.
describe("a client that closes its side at once", () => {
  test.each([
    ["without a word", ""],
    ["within the preface of HTTP/2", "PRI * HTTP/2.0\r\n"],
  ])("%s is let go at once", async (_name, text) => {
    const silent = connect(patient.port, "127.0.0.1");
    silent.resume().on("error", () => {});
    await once(silent, "connect");
    const socket = connect(patient.port, "127.0.0.1", () => socket.end(bytes(text)));
    socket.resume().on("error", () => {});
    await once(socket, "close");
    expect(silent.closed).toBe(false);
    silent.destroy();
  });
});
